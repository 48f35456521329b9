/** `mayfly serve`: runs the instance until it is told to stop. */
import type { Server } from 'node:http'
import {
  type App,
  createApp,
  createLog,
  freePort,
  type Log,
  type LogLevel,
  listen,
  PluginError,
  stopListening,
} from '#core/host'
import { type Boot, readBoot } from '../boot.js'
import { CliError, EXIT } from '../errors.js'
import { version } from '../version.js'

const DRAIN_MS = 10_000

/** Resolves when the server has stopped. Throws CliError: 2 for a config that cannot work, 6 when something cannot be reached. */
export async function serve(configPath: string | undefined, flags: Record<string, string>): Promise<void> {
  const boot = await readBoot(configPath, flags)
  const { settings } = boot
  settings.port ||= await freePort()
  settings.publicUrl ||= `http://localhost:${settings.port}`
  const isText = settings.logFormat === 'text' || (settings.logFormat === 'auto' && process.stderr.isTTY)
  const logAt = (level: LogLevel) =>
    createLog(level, isText ? 'text' : 'json', (line) => void process.stderr.write(line))
  const log = logAt(settings.log)
  const app = await start(boot, log)
  const server = await listenOrClose(app, settings)
  // Whatever is logged, where it can be reached is told.
  logAt('info').info(`Ready on ${settings.publicUrl}`, { storage: settings.storage, port: settings.port, version })
  const signal = await signalled()
  log.info('stopping', { signal })
  process.once(signal, () => process.exit(EXIT.interrupted))
  await stopListening(server, DRAIN_MS)
  await app.close()
}

async function start({ settings, plugins }: Boot, log: Log): Promise<App> {
  try {
    return await createApp({ settings, plugins, log, version })
  } catch (error) {
    if (error instanceof PluginError) throw new CliError(EXIT.unavailable, error.message)
    throw error
  }
}

async function listenOrClose(app: App, { host, port }: Boot['settings']): Promise<Server> {
  try {
    return await listen(app.handler, host, port)
  } catch (error) {
    await app.close()
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(EXIT.unavailable, `cannot listen on port ${port}: ${code}`, 'choose another one with --port')
  }
}

/** A second signal ends the process at once. */
function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
  })
}
