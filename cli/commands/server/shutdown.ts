/** Ends a server process in a bounded time after its signal, whatever its database, file store or plugins do. */
import type { Server } from 'node:http'
import { type App, type Log, stopListening } from '#core/runtime'
import { EXIT } from '../../lib/cli-error.js'
import { exitBySignal } from '../../lib/signals.js'

/** How long running requests may take, in ms. */
const DRAIN_MS = 10_000
/** From the signal to the end of the process, in ms: what the drain leaves of it is for closing. */
export const SHUTDOWN_MS = DRAIN_MS + 1_000

/** Finishes running requests, then closes the app. Ends the process when something stays open. */
export async function shutDown(server: Server, app: App, log: Log): Promise<void> {
  const deadline = Date.now() + SHUTDOWN_MS
  await stopListening(server, DRAIN_MS)
  const open = await app.closeWithin(deadline - Date.now())
  if (open.length > 0) forceExit(log, open)
}

/** Ends the process `SHUTDOWN_MS` after the signal, unless it ended before: also while it starts or after it was closed. */
export function exitAtDeadline(signaled: Promise<string>, log: Log): void {
  void signaled.then(() => setTimeout(() => forceExit(log, process.getActiveResourcesInfo()), SHUTDOWN_MS).unref())
}

function forceExit(log: Log, open: string[]): void {
  log.warn('shutdown deadline reached, exiting', { open: [...new Set(open)] })
  exitBySignal('SIGTERM', EXIT.ok)
}
