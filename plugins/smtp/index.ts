/** Sends notifications by e-mail. Documentation: docs/mail.md. */
import { createLanguageNegotiator, definePlugin } from '#core'
import { composeMail } from './compose-mail.js'
import { createMailer } from './mailer.js'
import { options } from './smtp-options.js'
import { TEXTS } from './texts.js'

export default definePlugin({
  contract: 1,
  name: 'smtp',
  options,
  setup(options, { publicUrl }) {
    const mailer = createMailer({ ...options, name: options.name || toGreetingName(new URL(publicUrl).hostname) })
    const chooseLanguage = createLanguageNegotiator(Object.keys(TEXTS))
    return {
      channels: [
        {
          name: 'notify.smtp',
          to: 'user',
          address: 'email',
          deliver(notification, signal) {
            const language = chooseLanguage(notification.recipient.language ?? options.language)
            return mailer.send(composeMail(notification, { language, publicUrl }), signal)
          },
          ping: mailer.ping,
        },
      ],
      close: mailer.close,
    }
  },
})

/** Host names stay; addresses are written as EHLO needs them: `[192.0.2.1]`, `[IPv6:2001:db8::1]`. */
function toGreetingName(hostname: string): string {
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname
}
