/** A real SMTP server without TLS, and the mails that it received. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
}

export interface MailServer {
  port: number
  mails: ReceivedMail[]
  close(): Promise<void>
}

/** Environment of a server that sends its mails there. */
export const smtpEnv = ({ port }: Pick<MailServer, 'port'>): Record<string, string> => ({
  MAYFLY_PLUGINS: 'web,smtp',
  MAYFLY_SMTP_HOST: '127.0.0.1',
  MAYFLY_SMTP_PORT: String(port),
  MAYFLY_SMTP_FROM: 'Mayfly <mayfly@example.org>',
})

export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() })
        done()
      })
    },
    ...options,
  })
  // Clients that hang up.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The headers of a mail, unfolded. */
export const readHeaders = ({ raw }: ReceivedMail): string =>
  (raw.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ')

/** The decoded parts of a mail: its text and its HTML. */
export function readParts({ raw }: ReceivedMail): string[] {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  return raw.split(`--${boundary}`).slice(1, -1).map(decodePart)
}

function decodePart(part: string): string {
  const at = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, at), part.slice(at + 4)]
  if (/base64/.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
