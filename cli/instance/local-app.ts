/** Work on an instance from its own machine: straight on the storage, with the server stopped or running, by the services of the web. */
import { type AppError, isAppError } from '#core'
import { type App, createApp, createLog } from '#core/runtime'
import type { GlobalFlags } from '../commands/command.js'
import { CliError, type Outcome } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import type { Io } from '../output/io.js'
import { toMessage } from '../output/sanitize.js'
import { loadConfigForFlags } from './instance-config.js'
import type { InstanceFlags } from './instance-options.js'
import { describeLocation, toStartError } from './open-database.js'

export interface LocalApp extends Pick<App, 'services' | 'storage'> {
  /** Where the instance is reached. */
  publicUrl: string
  passwordMax: number
}

/**
 * Says which storage it touches, and closes it when `work` is done, the audit log written. Throws CliError, also for
 * what the services refuse.
 */
export async function withLocalApp<T>(
  flags: InstanceFlags & GlobalFlags,
  io: Io,
  work: (desk: LocalApp) => Promise<T>,
): Promise<T> {
  const { settings, plugins } = await loadConfigForFlags(flags, io)
  if (plugins.some(({ plugin }) => plugin.name === settings.storage && plugin.singleProcess)) {
    throw new CliError('usage', `the storage "${settings.storage}" is in the server's process and nowhere else`)
  }
  settings.publicUrl ||= `http://localhost:${settings.port}`
  const log = createLog('warn', 'text', (line) => io.writeErr(line))
  const app = await createApp({ settings, plugins, log, version, migrate: 'new' }).catch((error) => {
    throw toStartError(error)
  })
  try {
    io.note(`using ${describeLocation(settings.storage, app.storage, io)}`)
    return await work({ ...app, publicUrl: settings.publicUrl, passwordMax: settings.passwordMax })
  } catch (error) {
    throw isAppError(error) ? toCliError(error) : error
  } finally {
    await app.close()
  }
}

/** What a service refuses, in the words of the command line. */
export function toCliError({ status, message, details }: AppError): CliError {
  // What is taken or not there says so itself.
  const flag = status === 400 ? FIELD_FLAGS[details.field ?? ''] : undefined
  const said = toMessage(flag ? message.replace(`${details.field}:`, `${flag}:`) : message)
  return new CliError(outcomeOfStatus(status), flag && !said.startsWith(flag) ? `${flag}: ${said}` : said)
}

/** The flags behind the fields of a request. */
export const FIELD_FLAGS: Record<string, string> = {
  username: 'the user name',
  email: '--email',
  password: 'the password',
  role: '--role',
  name: '--name',
  scopes: '--scopes',
  expiresAt: '--ttl',
  maxSecrets: '--max-secrets',
  maxBytes: '--max-bytes',
  allowedIp: '--allow-ip',
  ttl: '--ttl',
}

const OUTCOMES: Record<number, Outcome> = {
  400: 'usage',
  401: 'denied',
  403: 'denied',
  404: 'gone',
  409: 'conflict',
  413: 'limit',
  429: 'limit',
  500: 'unexpected',
}

const outcomeOfStatus = (status: number): Outcome => OUTCOMES[status] ?? 'unavailable'
