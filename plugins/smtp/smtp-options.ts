import { secret, wholeNumber, z } from '#core'

/** Empty, an address, or a name and an address in angle brackets. No control characters, which could add headers. */
const FROM =
  /^(?:|[^\p{Cc}<>"]{1,100} <[\x21-\x3b\x3d\x3f-\x7e]{1,64}@[A-Za-z0-9.-]{1,255}>|[\x21-\x3b\x3d\x3f-\x7e]{1,64}@[A-Za-z0-9.-]{1,255})$/u

export const options = z.object({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:-]{1,255}$/, 'must be a host name or an IP address')
    .default('localhost')
    .describe('mail server'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9.:[\]-]{0,255}$/, 'must be a host name')
    .default('')
    .describe('host name to greet the mail server with (EHLO); empty: the host of publicUrl'),
  port: wholeNumber(1, 65_535).default(587).describe('usually 587, 465 for `implicit`, or 25 on this machine'),
  tls: z
    .enum(['auto', 'starttls', 'implicit'])
    .default('auto')
    .describe(
      '`starttls`: required; `implicit`: TLS from the start; `auto`: `implicit` on port 465, none on this machine, else `starttls`',
    ),
  user: z.string().default('').describe('name for signing in to the mail server; empty: no sign-in'),
  password: secret(z.string().default('').describe('password of this user')),
  from: z
    .string()
    .regex(FROM, 'must be an address, such as mayfly@example.org or Mayfly <mayfly@example.org>')
    .default('')
    .describe('sender of the messages, such as Mayfly <mayfly@example.org>; required'),
  language: z
    .string()
    .regex(/^[A-Za-z0-9-]{2,35}$/, 'must be a language tag, such as en or pt-BR')
    .default('en')
    .describe('language of messages to users whose language is unknown'),
})

export type SmtpOptions = z.output<typeof options>
