/** Sends notifications by e-mail. Documentation: docs/mail.md. */
import { createLanguageNegotiator, definePlugin } from '#core'
import { composeMail } from './compose-mail.js'
import { createMailer } from './mailer.js'
import { options } from './smtp-options.js'
import { TEXTS } from './texts.js'

export default definePlugin({
  contract: 2,
  name: 'smtp',
  options,
  setup(options, { publicUrl }) {
    const mailer = createMailer(options)
    const chooseLanguage = createLanguageNegotiator(Object.keys(TEXTS))
    return {
      notify: {
        send: (notification, signal) => {
          const language = chooseLanguage(notification.recipient.language ?? options.language)
          return mailer.send(composeMail(notification, { language, publicUrl }), signal)
        },
        ping: mailer.ping,
      },
      close: mailer.close,
    }
  },
})
