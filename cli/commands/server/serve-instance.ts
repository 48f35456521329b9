/** The instance as a process: assembled, listening, and stopped in order. */
import { stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import { type App, createApp, createLog, freePort, type Log, type LogLevel, listen } from '#core/runtime'
import { type Boot, keyValues, readBoot } from '../../instance/boot.js'
import { placeOf, startFailure } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import { signalled } from '../../lib/signals.js'
import { version } from '../../lib/version.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import { tellPosture } from './log-network-settings.js'
import { endAtDeadline, shutDown } from './shutdown.js'
import { dismissed, isFirst, isWorker, leave, superviseWorkers } from './workers.js'

export interface ServeFlags {
  host?: string
  port?: string
  publicUrl?: string
  logFormat?: string
  workers?: string
  databaseUrl?: string
  migrate: boolean
  set?: string[]
}

/** Resolves when the server has stopped. Throws CliError `usage` for a config that cannot work, `unavailable` for what cannot be reached. */
export async function serveInstance(flags: ServeFlags & GlobalFlags, io: Io): Promise<void> {
  const boot = await readBoot(flags.config, settingFlags(flags), io)
  const { settings } = boot
  settings.port ||= await freePort()
  const anyAddress = settings.publicUrl === ''
  settings.publicUrl ||= `http://localhost:${settings.port}`
  const isText = settings.logFormat === 'text' || (settings.logFormat === 'auto' && io.isTty.stderr)
  const logAt = (level: LogLevel) => createLog(level, isText ? 'text' : 'json', (line) => io.tell(line))
  const log = logAt(settings.log)
  // Whatever is logged, where it can be reached is told.
  const ready = (place: string) => logAt('info').info(`Ready on ${settings.publicUrl} (${place})`)
  if (settings.workers > 1 && !isWorker()) {
    const args = [...io.args, '--port', String(settings.port)]
    const place = `${settings.storage}, ${settings.workers} workers`
    return io.exitWith(await superviseWorkers(settings.workers, args, log, () => ready(place)))
  }
  try {
    await run({ ...boot, settings: { ...settings, anyAddress } }, io, log, flags.migrate, ready)
  } finally {
    if (isWorker()) leave()
  }
}

/** What was booted, and whether its address was left to the port. */
interface Instance extends Boot {
  settings: Boot['settings'] & { anyAddress: boolean }
}

/** One process of the instance. */
async function run(boot: Instance, io: Io, log: Log, migrate: boolean, ready: (place: string) => void): Promise<void> {
  const { settings } = boot
  const app = await start(boot, log, migrate)
  if (app.migrated.length > 0) log.info('schema brought up to date', { migrations: app.migrated.join(', ') })
  await warnOfReaders(settings.dataDir, log)
  const server = await listenOrClose(app, settings)
  // Before it says that it is ready: whoever reads that may end it at once.
  const ended = isWorker() ? dismissed() : signalled()
  endAtDeadline(ended, log)
  if (isFirst()) {
    tellPosture(boot, log)
    const caller = { username: null, address: null }
    await app.services.audit.note({ action: 'instance.started', caller, detail: { version } })
    await tellSetupCode(app, boot, io, log)
  }
  if (!isWorker()) ready(placeOf(settings.storage, app.storage, io))
  log.info('stopping', { signal: await ended })
  await shutDown(server, app, log)
}

/** On stdout, where nothing else of an instance goes: the log may be kept for years. */
async function tellSetupCode({ services }: App, { plugins, settings }: Instance, io: Io, log: Log): Promise<void> {
  const code = await services.setupCode.issue()
  if (code === null) return
  log.info('there is no administrator yet: use the set-up code, or `mayfly user add NAME --role admin`')
  const hasPages = plugins.some(({ plugin }) => plugin.name === 'web')
  // Behind the #, where no server and no log of a proxy sees it.
  const place = hasPages ? `Use it here: ${settings.publicUrl}/setup#${code}\n` : ''
  await io.write(`Set-up code, for one hour and one use: ${code}\n${place}`)
}

function settingFlags(flags: ServeFlags): Record<string, string> {
  const { host, port, publicUrl, logFormat, workers, databaseUrl, set } = flags
  const given = Object.entries({ host, port, publicUrl, logFormat, workers, databaseUrl })
  return {
    ...Object.fromEntries(given.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
    ...keyValues(set),
  }
}

async function start({ settings, plugins }: Instance, log: Log, migrate: boolean): Promise<App> {
  try {
    return await createApp({ settings, plugins, log, version, migrate })
  } catch (error) {
    throw startFailure(error)
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

/** Made by us it is ours alone; one that was there before is left as it is, and where nothing is kept there is none. */
async function warnOfReaders(dataDir: string, log: Log): Promise<void> {
  const found = await stat(dataDir).catch(() => null)
  const mode = (found?.mode ?? 0) & 0o777
  if (mode & 0o077) log.warn('the data folder is open to other users of this machine', { mode: mode.toString(8) })
}
