/** The instance as a process: assembled, listening, and stopped in order. */
import { stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import { type App, createApp, createLog, freePort, type Log, type LogLevel, listen, stopListening } from '#core/host'
import type { GlobalFlags } from '../command.js'
import type { ServeFlags } from '../commands/serve.js'
import { CliError } from '../errors.js'
import type { Io } from '../io.js'
import { signalled } from '../signals.js'
import { version } from '../version.js'
import { type Boot, keyValues, readBoot } from './boot.js'
import { placeOf, startFailure } from './storage.js'
import { dismissed, isWorker, leave, superviseWorkers } from './workers.js'

const DRAIN_MS = 10_000

/** Resolves when the server has stopped. Throws CliError `usage` for a config that cannot work, `unavailable` for what cannot be reached. */
export async function serveInstance(flags: ServeFlags & GlobalFlags, io: Io): Promise<void> {
  const boot = await readBoot(flags.config, settingFlags(flags))
  const { settings } = boot
  settings.port ||= await freePort()
  settings.publicUrl ||= `http://localhost:${settings.port}`
  const isText = settings.logFormat === 'text' || (settings.logFormat === 'auto' && io.isTty.stderr)
  const logAt = (level: LogLevel) => createLog(level, isText ? 'text' : 'json', io.tell)
  const log = logAt(settings.log)
  // Whatever is logged, where it can be reached is told.
  const ready = (place: string) => logAt('info').info(`Ready on ${settings.publicUrl} (${place})`)
  if (settings.workers > 1 && !isWorker()) {
    const args = [...io.args, '--port', String(settings.port)]
    const place = `${settings.storage}, ${settings.workers} workers`
    process.exitCode = await superviseWorkers(settings.workers, args, log, () => ready(place))
    return
  }
  try {
    await run(boot, log, flags.migrate, ready)
  } finally {
    if (isWorker()) leave()
  }
}

/** One process of the instance. */
async function run(boot: Boot, log: Log, migrate: boolean, ready: (place: string) => void): Promise<void> {
  const { settings } = boot
  const app = await start(boot, log, migrate)
  if (app.migrated.length > 0) log.info('schema brought up to date', { migrations: app.migrated.join(', ') })
  await warnOfReaders(settings.dataDir, log)
  const server = await listenOrClose(app, settings)
  // Before it says that it is ready: whoever reads that may end it at once.
  const ended = isWorker() ? dismissed() : signalled()
  if (!isWorker()) ready(placeOf(settings.storage, app.storage))
  log.info('stopping', { signal: await ended })
  await stopListening(server, DRAIN_MS)
  await app.close()
}

function settingFlags(flags: ServeFlags): Record<string, string> {
  const { host, port, publicUrl, logFormat, workers, databaseUrl, set } = flags
  const given = Object.entries({ host, port, publicUrl, logFormat, workers, databaseUrl })
  return {
    ...Object.fromEntries(given.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
    ...keyValues(set),
  }
}

async function start({ settings, plugins }: Boot, log: Log, migrate: boolean): Promise<App> {
  try {
    return await createApp({ settings, plugins, log, version, migrate })
  } catch (error) {
    throw startFailure(error, settings.dataDir)
  }
}

async function listenOrClose(app: App, { host, port }: Boot['settings']): Promise<Server> {
  try {
    return await listen(app.handler, host, port)
  } catch (error) {
    await app.close()
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'it is in use' : code
    throw new CliError('unavailable', `cannot listen on port ${port}: ${reason}`, 'choose another one with --port')
  }
}

/** Made by us it is ours alone; one that was there before is left as it is. */
async function warnOfReaders(dataDir: string, log: Log): Promise<void> {
  const mode = (await stat(dataDir)).mode & 0o777
  if (mode & 0o077) log.warn('the data folder is open to other users of this machine', { mode: mode.toString(8) })
}
