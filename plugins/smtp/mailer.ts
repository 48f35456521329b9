/** Sends mails over SMTP. */
import { createTransport, type SendMailOptions } from 'nodemailer'
import { type DeliveryOutcome, isLoopbackHost, OperatorError } from '#core'
import { limitConcurrency } from '#shared/limit-concurrency'
import { describeFailure } from './describe-failure.js'
import type { SmtpOptions } from './smtp-options.js'

/**
 * Time limits in ms. Together shorter than the limit of an attempt, so that it does not end in the middle of a mail.
 */
const TIMEOUTS = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 8000 }
/** Connections at a time. Mail servers refuse clients that open many. */
const CONNECTIONS = 3
/** The pattern of an e-mail address without special characters of headers. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}$/

export interface Mail {
  /** The same for each attempt, so that mail servers can drop a repeated mail. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** URL for List-Unsubscribe; null: none. */
  unsubscribeUrl: string | null
  /** Tag of the language. */
  language: string
}

export interface Mailer {
  /** Never rejects. A refusal of the recipient or of the mail is permanent, all other failures are not. */
  send(mail: Mail, signal: AbortSignal): Promise<DeliveryOutcome>
  /** Connects and signs in. Throws an error without a message of the server. */
  ping(): Promise<void>
  close(): void
}

/** Throws for options that contradict each other. */
export function createMailer(options: SmtpOptions, timeouts = TIMEOUTS): Mailer {
  const { host, port, name, user, password, from } = options
  if (from === '') throw new OperatorError('set smtp.from, the sender of the messages', { isSetting: true })
  if ((user === '') !== (password === ''))
    throw new OperatorError('set both smtp.user and smtp.password', { isSetting: true })
  const transport = createTransport({
    host,
    port,
    ...(name !== '' && { name }),
    ...tlsOptions(options),
    ...timeouts,
    ...(user !== '' && { auth: { user, pass: password } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const limit = limitConcurrency(CONNECTIONS)
  return {
    async send(mail, signal) {
      if (!ADDRESS.test(mail.to)) return { isDelivered: false, isPermanent: true, result: 'address refused' }
      try {
        await limit.run(async () => {
          // The mail waited for a connection.
          signal.throwIfAborted()
          await transport.sendMail(toMessage(mail, from))
        })
        return { isDelivered: true, result: 'sent' }
      } catch (error) {
        return { isDelivered: false, ...describeFailure(error) }
      }
    },
    async ping() {
      await transport.verify().catch((error) => {
        throw new Error(describeFailure(error).result)
      })
    },
    close: () => transport.close(),
  }
}

function tlsOptions({ host, port, tls }: SmtpOptions) {
  const secure = tls === 'implicit' || (tls === 'auto' && port === 465)
  const isPlain = tls === 'auto' && !secure && isLoopbackHost(host)
  return { secure, requireTLS: !secure && !isPlain, ignoreTLS: isPlain, tls: { minVersion: 'TLSv1.2' as const } }
}

function toMessage({ id, to, subject, text, html, unsubscribeUrl, language }: Mail, from: string): SendMailOptions {
  const domain = /@([A-Za-z0-9.-]+)>?$/.exec(from)?.[1]
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: {
      // Prevents automatic replies.
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language,
      ...(unsubscribeUrl !== null && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}
