/** Runs commands on an instance from its own machine, directly on the storage, with the server running or stopped. */
import { type AppError, isAppError } from '#core'
import { createApp, createLog, findOperatorError, isSingleProcess, type RunningApp } from '#core/runtime'
import { lookUp } from '#shared/look-up'
import type { GlobalFlags } from '../commands/command.js'
import { CliError, type Outcome } from '../lib/cli-error.js'
import { version } from '../lib/version.js'
import type { Io } from '../output/io.js'
import { toMessage } from '../output/sanitize.js'
import { loadConfigForFlags } from './instance-config.js'
import type { InstanceFlags } from './instance-options.js'
import { announceInstance, toStartError } from './open-database.js'
import { requireDatabase } from './require-database.js'

export interface LocalApp extends RunningApp {
  /** Null when it is not configured. */
  publicUrl: string | null
  passwordMax: number
}

/**
 * Opens the app, prints which storage it uses, runs `work` and closes the app. AppErrors of use cases become CliErrors.
 */
export async function withLocalApp<T>(
  flags: InstanceFlags & GlobalFlags,
  io: Io,
  work: (app: LocalApp) => Promise<T>,
): Promise<T> {
  const config = await loadConfigForFlags(flags, io)
  const { settings, plugins } = config
  if (plugins.some((each) => each.plugin.name === settings.storage && isSingleProcess(each))) {
    throw new CliError('usage', 'the database exists only in the memory of the server')
  }
  requireDatabase(config)
  const publicUrl = settings.publicUrl || null
  settings.publicUrl ||= `http://localhost:${settings.port}`
  const log = createLog('warn', 'text', (line) => io.writeErr(line))
  const app = await createApp({ settings, plugins, log, version, migrate: 'new', isServer: false }).catch((error) => {
    throw toStartError(error)
  })
  try {
    announceInstance(config, app.storage, io)
    return await work({ ...app, publicUrl, passwordMax: settings.passwordMax })
  } catch (error) {
    throw isAppError(error) && !findOperatorError(error) ? toCliError(error) : error
  } finally {
    await app.close()
  }
}

/** Converts an AppError to a CliError that names the flag. */
export function toCliError({ status, message, details }: AppError): CliError {
  // Messages of other statuses are complete without the flag.
  const flag = status === 400 ? lookUp(FIELD_FLAGS, details.field ?? '') : undefined
  const text = toMessage(flag ? message.replace(`${details.field}:`, `${flag}:`) : message)
  return new CliError(outcomeOfStatus(status), flag && !text.startsWith(flag) ? `${flag}: ${text}` : text)
}

/** Flags by request field. */
export const FIELD_FLAGS: Record<string, string> = {
  username: 'the user name',
  email: '--email',
  password: 'the password',
  role: '--role',
  groups: 'the groups',
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
