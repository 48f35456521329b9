/** `mayfly mail test`: sends a test message with the plugins that send notifications. */
import { sendTestNotification } from '#core/runtime'
import { Email } from '#shared/api'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { withLocalApp } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { findMailHint } from '../../output/mail-hints.js'
import { toSingleLine } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'

export type MailFlags = InstanceFlags & GlobalFlags

/** Throws CliError `usage` for an invalid address and without a plugin, `unavailable` if a message was not accepted. */
export async function sendTestMail(address: string | undefined, flags: MailFlags, io: Io): Promise<void> {
  if (address === undefined) throw new CliError('usage', 'missing argument: address')
  const { data: email } = Email.safeParse(address)
  if (email === undefined) throw new CliError('usage', 'the argument is not an e-mail address')
  await withLocalApp(flags, io, async (app) => {
    if (app.channels.mail.length === 0) {
      throw new CliError('usage', 'this instance sends no e-mail', 'add the plugin smtp, see docs/mail.md')
    }
    const outcomes = await sendTestNotification(app, email)
    const failed = outcomes.find(({ isDelivered }) => !isDelivered)
    if (failed) {
      const reason = toSingleLine(failed.result)
      const hint = findMailHint(reason) ?? undefined
      throw new CliError('unavailable', `${failed.name}: the message was not accepted: ${reason}`, hint)
    }
    const results = outcomes.map(({ name, result }) => ({ channel: name, result: toSingleLine(result) }))
    const lines = results.map(({ channel, result }) => `${channel}: ${result}\n`)
    await io.writeResult(flags, results, lines.join(''))
  })
}
