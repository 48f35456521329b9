/** Ends a server process within a deadline after its signal, even if the database, file store or a plugin hangs. */
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Log, type RunningApp, stopListening } from '#core/runtime'
import { EXIT } from '../../lib/cli-error.js'
import { exitBySignal } from '../../lib/signals.js'

/** Time for running requests to finish, in ms. */
const DRAIN_MS = 10_000
/** Time from the end of `drainSeconds` to the end of the process, in ms. */
export const SHUTDOWN_MS = DRAIN_MS + 1_000

/**
 * Serves for `drainSeconds` while the readiness probe fails, so that load balancers send their next requests elsewhere.
 * Then finishes running requests, and closes the app. Ends the process if something stays open.
 */
export async function shutDown(server: Server, app: RunningApp, log: Log, drainSeconds: number): Promise<void> {
  app.background.health.startDraining()
  await sleep(drainSeconds * 1000)
  const deadline = Date.now() + SHUTDOWN_MS
  await stopListening(server, DRAIN_MS)
  const open = await app.closeWithin(deadline - Date.now())
  if (open.length > 0) forceExit(log, open)
}

/** Ends the process `SHUTDOWN_MS` after the end of `drainSeconds` at the latest, also during startup. */
export function exitAtDeadline(signaled: Promise<string>, log: Log, drainSeconds: number): void {
  const limitMs = drainSeconds * 1000 + SHUTDOWN_MS
  void signaled.then(() => setTimeout(() => forceExit(log, process.getActiveResourcesInfo()), limitMs).unref())
}

function forceExit(log: Log, open: string[]): void {
  log.warn('shutdown deadline reached, exiting', { open: [...new Set(open)] })
  exitBySignal('SIGTERM', EXIT.ok)
}
