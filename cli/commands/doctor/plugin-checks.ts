/** Starts plugins of the config next to a running server, and connects to the receivers of their messages. */
import { dirname, resolve } from 'node:path'
import type { Hooks } from '#core'
import { noLog } from '#core/runtime'
import { lookUp } from '#shared/look-up'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { findMailHint } from '../../output/mail-hints.js'
import { type CheckResult, fail, ok } from './check-result.js'
import { removeCreatedFiles } from './remove-created-files.js'

interface PluginCheck {
  success: string
  describeFailure(error: NodeJS.ErrnoException, name: string): { message: string; fix: string }
  /** Uses the connection, and sends nothing. */
  ping?(hooks: Hooks): Promise<void>
}

const START: PluginCheck = { success: 'starts', describeFailure: describeStartFailure }
const AUDIT_SINK: PluginCheck = {
  success: 'audit entries can be written',
  describeFailure: ({ code, message }, name) => ({
    message: `audit entries cannot be written: ${code ?? message}`,
    fix: `check the settings ${name}.* and the receiver; see docs/audit-sinks.md`,
  }),
  ping: async ({ auditSink }) => auditSink?.ping?.(),
}
const MAIL: PluginCheck = {
  success: 'the mail server accepts the connection',
  describeFailure: ({ message }, name) => ({
    message: `messages cannot be sent: ${message}`,
    fix: findMailHint(message) ?? `check the settings ${name}.* and the mail server; see docs/mail.md`,
  }),
  async ping({ channels = [] }) {
    for (const channel of channels) if ('ping' in channel) await channel.ping?.()
  },
}

/** Plugins whose `setup` creates nothing but a missing file of an audit sink. */
const CHECKS: Record<string, PluginCheck> = {
  web: START,
  oidc: START,
  'proxy-auth': START,
  'local-auth': START,
  'audit-file': AUDIT_SINK,
  'audit-syslog': AUDIT_SINK,
  'audit-stdout': AUDIT_SINK,
  smtp: MAIL,
}

export async function checkPlugins({ settings, plugins }: InstanceConfig): Promise<CheckResult[]> {
  const { dataDir, role } = settings
  const context = { log: noLog, dataDir, role, publicUrl: settings.publicUrl || 'http://localhost', clock: Date }
  const checks = plugins.flatMap(({ plugin, options }) => {
    const check = lookUp(CHECKS, plugin.name)
    if (!check || options.dev === true) return []
    const run = () => checkPlugin(plugin.name, check, async () => plugin.setup(options, context))
    return removeCreatedFiles(check === AUDIT_SINK ? listFiles(options.file, dataDir) : [], run)
  })
  return Promise.all(checks)
}

async function checkPlugin(name: string, check: PluginCheck, setUp: () => Promise<Hooks>): Promise<CheckResult> {
  try {
    const hooks = await setUp()
    try {
      await check.ping?.(hooks)
    } finally {
      await hooks.close?.()
    }
    return ok('config', name, check.success)
  } catch (error) {
    const { message, fix } = check.describeFailure(error as NodeJS.ErrnoException, name)
    return fail('config', name, message, fix)
  }
}

/** The file of an audit sink, if it has one, and its folder. */
function listFiles(file: unknown, dataDir: string): string[] {
  if (typeof file !== 'string') return []
  const path = resolve(dataDir, file)
  return [path, dirname(path)]
}

/** Names a missing file, such as index.html of the web app. */
function describeStartFailure({ code, path, message }: NodeJS.ErrnoException, name: string) {
  if (code !== 'ENOENT' || path === undefined) {
    return { message: `does not start: ${message}`, fix: `correct the settings of the plugin "${name}"` }
  }
  const isPackaged = /[\\/]dist[\\/]web[\\/]/.test(path)
  const fix = isPackaged ? 'install Mayfly again' : `correct the setting of "${name}" that names this file`
  return { message: `does not start: ${path} is missing`, fix }
}
