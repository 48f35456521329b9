/** `mayfly serve`: starts the instance, listens, and shuts down on a signal. */
import { stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import {
  createApp,
  createLog,
  freePort,
  issueSetupCode,
  type Log,
  type LogLevel,
  listen,
  type RunningApp,
} from '#core/runtime'
import { type InstanceConfig, loadInstanceConfig, parseKeyValues } from '../../instance/instance-config.js'
import { describeLocation, toStartError } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { waitForSignal } from '../../lib/signals.js'
import { version } from '../../lib/version.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import { createAdminFromVariables } from '../setup/first-admin.js'
import { bufferLines } from './line-buffer.js'
import { logByteLimits } from './log-byte-limits.js'
import { logNetworkSettings } from './log-network-settings.js'
import { exitAtDeadline, shutDown } from './shutdown.js'
import { disconnectWorker, isFirstProcess, isWorker, superviseWorkers, waitForShutdown } from './workers.js'

export interface ServeFlags {
  host?: string
  port?: string
  publicUrl?: string
  role?: string
  logFormat?: string
  workers?: string
  databaseUrl?: string
  migrate: boolean
  set?: string[]
}

/** Options of the command, by config setting. */
const OPTIONS = {
  host: '--host',
  port: '--port',
  publicUrl: '--public-url',
  role: '--role',
  logFormat: '--log-format',
  workers: '--workers',
  databaseUrl: '--database-url',
}

/**
 * Resolves when the server has stopped. `started`: called in each process at the end of its start. Throws CliError
 * `usage` for an invalid config, `unavailable` for an unreachable database or port.
 */
export async function serveInstance(flags: ServeFlags & GlobalFlags, io: Io, started = () => {}): Promise<void> {
  const config = await loadInstanceConfig(flags.config, toConfigFlags(flags), io, OPTIONS)
  const { settings } = config
  settings.port ||= await freePort()
  const anyAddress = settings.publicUrl === ''
  settings.publicUrl ||= `http://localhost:${settings.port}`
  const isText = isTextLog(config, io)
  const write = bufferLines((text) => io.writeErr(text))
  const logAt = (level: LogLevel) => createLog(level, isText ? 'text' : 'json', write)
  const log = logAt(settings.log)
  // Logged at every log level: the user needs the address.
  const ready = (location: string) => {
    started()
    if (!isWorker()) logAt('info').info(`Ready on ${settings.publicUrl} (${location})`)
  }
  if (settings.workers > 1 && !isWorker()) {
    const args = [...io.argv, '--port', String(settings.port)]
    const location = `${settings.storage}, ${settings.workers} workers`
    return io.setExitCode(await superviseWorkers(settings, args, log, () => ready(location)))
  }
  try {
    await runProcess({ ...config, settings: { ...settings, anyAddress } }, io, log, flags.migrate, ready)
  } finally {
    if (isWorker()) disconnectWorker()
  }
}

/** The config, and whether publicUrl was unset. */
interface ServedInstance extends InstanceConfig {
  settings: InstanceConfig['settings'] & { anyAddress: boolean }
}

/** One process of the instance. */
async function runProcess(
  config: ServedInstance,
  io: Io,
  log: Log,
  migrate: boolean,
  ready: (location: string) => void,
): Promise<void> {
  const { settings } = config
  const app = await startApp(config, log, migrate)
  if (app.migrated.length > 0) log.info('schema updated', { migrations: app.migrated.join(', ') })
  await warnIfDataFolderIsOpen(settings.dataDir, log)
  // Before the server accepts requests.
  if (isFirstProcess()) {
    await createAdminFromVariables(app, log, io).catch(async (error) => {
      await app.close()
      throw error
    })
  }
  const server = await listenOrClose(app, settings, log)
  // Before the ready message: its reader may stop the process at once.
  const ended = isWorker() ? waitForShutdown() : waitForSignal()
  exitAtDeadline(ended, log, settings.drainSeconds)
  if (isFirstProcess()) {
    logNetworkSettings(config, app, log)
    logByteLimits(settings, log)
    void logAuditAnchor(app.storage, log)
    for (const { message, fix } of config.warnings) log.warn(message, { fix })
    const caller = { username: null, address: null }
    await app.audit.note({ action: 'instance.started', caller, detail: { version } })
    await printSetupCode(app, config, io, log)
  }
  ready(describeLocation(settings.storage, app.storage))
  // Each worker logs this line.
  log.info('stopping', { signal: await ended, ...(isWorker() && { pid: process.pid }) })
  await shutDown(server, app, log, settings.drainSeconds)
}

const isTextLog = ({ settings: { logFormat } }: InstanceConfig, io: Io): boolean =>
  logFormat === 'text' || (logFormat === 'auto' && io.isTty.stderr)

/**
 * Prints the setup code to stdout, because logs may be stored for years: as text, or as a line of JSON like the lines
 * of the log, because containers join both streams.
 */
async function printSetupCode(app: RunningApp, config: ServedInstance, io: Io, log: Log): Promise<void> {
  // A process without this page could not accept it.
  if (config.settings.role === 'open') return
  const code = await issueSetupCode(app)
  if (code === null) return
  log.info('no administrator yet: use the setup code, or run `mayfly user add NAME --role admin`')
  const hasPages = config.plugins.some(({ plugin }) => plugin.name === 'web')
  // After the #, which is never sent to a server or proxy.
  const url = hasPages ? `${config.settings.publicUrl}/setup#${code}` : null
  const msg = 'Setup code, for one hour and one use'
  if (isTextLog(config, io)) return io.write(`${msg}: ${code}\n${url === null ? '' : `Use it here: ${url}\n`}`)
  const line = { time: new Date().toISOString(), level: 'info', msg, setupCode: code, ...(url === null ? {} : { url }) }
  await io.writeJson(line)
}

function toConfigFlags(flags: ServeFlags): Record<string, string> {
  const { host, port, publicUrl, role, logFormat, workers, databaseUrl, set } = flags
  const flagValues = { host, port, publicUrl, role, logFormat, workers, databaseUrl }
  return { ...omitUndefined(flagValues), ...parseKeyValues(set) }
}

async function startApp({ settings, plugins }: ServedInstance, log: Log, migrate: boolean): Promise<RunningApp> {
  try {
    return await createApp({ settings, plugins, log, version, migrate })
  } catch (error) {
    throw toStartError(error)
  }
}

async function listenOrClose(app: RunningApp, settings: InstanceConfig['settings'], log: Log): Promise<Server> {
  const { host, port, trustedProxies } = settings
  try {
    return await listen(app.handler, host, port, trustedProxies, log)
  } catch (error) {
    await app.close()
    throw toListenError(error as NodeJS.ErrnoException, host, port)
  }
}

function toListenError({ code }: NodeJS.ErrnoException, host: string, port: number): CliError {
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return new CliError('unavailable', `cannot listen on ${host}: not an address of this machine`, 'correct --host')
  const reason = code === 'EADDRINUSE' ? 'already in use' : code
  return new CliError('unavailable', `cannot listen on port ${port}: ${reason}`, 'choose another port with --port')
}

/**
 * The log is usually stored elsewhere than the database: `mayfly audit verify --anchor` compares both. Never rejects.
 */
async function logAuditAnchor({ audit }: RunningApp['storage'], log: Log): Promise<void> {
  const { end } = await audit.chainState().catch(() => ({ end: null }))
  if (end) log.info('anchor of the audit log', { anchor: `${end.position}:${end.hash}` })
}

/**
 * Warns if other users can read the data folder. Mayfly creates it with mode 0700 but doesn't change an existing one.
 */
async function warnIfDataFolderIsOpen(dataDir: string, log: Log): Promise<void> {
  const found = await stat(dataDir).catch(() => null)
  const mode = (found?.mode ?? 0) & 0o777
  if (mode & 0o077) log.warn('the data folder is readable by other users of this machine', { mode: mode.toString(8) })
}
