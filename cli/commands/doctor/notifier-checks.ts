/** Checks whether notifications can be sent, without sending one. */
import type { Hooks } from '#core'
import { noLog } from '#core/runtime'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { findMailHint } from '../../output/mail-hints.js'
import { type CheckResult, fail, ok } from './check-result.js'

/** Their `setup` connects to nothing. */
const NOTIFIERS = ['smtp']

export async function checkNotifiers({ settings, plugins }: InstanceConfig): Promise<CheckResult[]> {
  const publicUrl = settings.publicUrl || 'http://localhost'
  const context = { log: noLog, dataDir: settings.dataDir, publicUrl, clock: Date }
  const notifiers = plugins.filter(({ plugin }) => NOTIFIERS.includes(plugin.name))
  return Promise.all(
    notifiers.map(({ plugin, options }) => checkNotifier(plugin.name, async () => plugin.setup(options, context))),
  )
}

async function checkNotifier(name: string, setUp: () => Promise<Hooks>): Promise<CheckResult> {
  try {
    const { channels = [], close } = await setUp()
    try {
      for (const channel of channels) if ('ping' in channel) await channel.ping?.()
    } finally {
      await close?.()
    }
    return ok('config', name, 'the mail server accepts the connection')
  } catch (error) {
    const { message } = error as Error
    const fix = findMailHint(message) ?? `check the settings ${name}.* and the mail server; see docs/mail.md`
    return fail('config', name, `messages cannot be sent: ${message}`, fix)
  }
}
