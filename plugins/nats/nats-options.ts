/** Options of the connection to NATS. */
import { list, secret, z } from '#core'
import { listFacts } from '#shared/event-catalog'

/** Names of subjects and streams, without wildcards. */
const SUBJECT = /^[\w-]+(\.[\w-]+)*$/

export const options = z.object({
  servers: list(
    z
      .string()
      .refine(isServerUrl, 'must be nats://host:port or tls://host:port, without a user, a password and a path'),
  )
    .default(['nats://127.0.0.1:4222'])
    .describe(
      'servers of one cluster, separated by commas: nats://host:port; tls://host:port refuses a server without TLS, and needs the name in its certificate',
    ),
  subject: z
    .string()
    .max(100)
    .regex(SUBJECT, 'must be words of letters, digits, "_" and "-", joined by "."')
    .default('mayfly')
    .describe('start of the subjects: an event is published as `mayfly.secret.viewed`'),
  stream: z
    .string()
    .max(100)
    .regex(/^[\w-]*$/, 'must have letters, digits, "_" and "-" only')
    .default('')
    .describe('stream that has to store the events; empty: any stream that stores the subject'),
  events: list(z.enum(listFacts('operator')))
    .default([])
    .describe('event types to publish, such as secret.viewed; empty: all'),
  user: z.string().max(255).default('').describe('user name; empty: no sign-in with a password'),
  password: secret(z.string().max(255).default('').describe('password of the user')),
  token: secret(z.string().max(1000).default('').describe('token; empty: none')),
  credsFile: z.string().default('').describe('file with a JWT and a seed, made by nsc; empty: none'),
  caFile: z
    .string()
    .default('')
    .describe('certificate authority of the servers, in PEM; empty: the authorities of Node.js'),
  certFile: z.string().default('').describe('client certificate, in PEM; empty: none'),
  keyFile: z.string().default('').describe('file with the private key of certFile, in PEM'),
})

export type NatsOptions = z.output<typeof options>

function isServerUrl(text: string): boolean {
  if (!/^(nats|tls):\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, username, password, pathname, search, hash } = new URL(text)
  return hostname !== '' && username + password + search + hash === '' && /^\/?$/.test(pathname)
}
