/** Options of the syslog sink. */
import { z } from '#core'
import { FACILITIES, type Facility } from './syslog-message.js'

const FACILITY_NAMES = Object.keys(FACILITIES) as [Facility, ...Facility[]]

export const options = z.object({
  url: z
    .string()
    .refine(
      (text) => parseTarget(text) !== null,
      'must be udp://host:port, tcp://host:port, tls://host:port or unix:/path',
    )
    .default('udp://127.0.0.1:514')
    .describe('log server: udp://host:port, tcp://host:port, tls://host:port, or unix:/path of a stream socket'),
  facility: z.enum(FACILITY_NAMES).default('audit').describe('facility of the messages'),
  app: z
    .string()
    .regex(/^[!-~]{1,48}$/, 'must be 1 to 48 printable ASCII characters')
    .default('mayfly')
    .describe('application name of the messages'),
  host: z
    .string()
    .regex(/^[!-~]{0,255}$/, 'must be printable ASCII characters')
    .default('')
    .describe('host name of the messages; empty: the name of this machine'),
  caFile: z
    .string()
    .default('')
    .describe('certificate authority of a tls:// server, in PEM; empty: the authorities of Node.js'),
  certFile: z.string().default('').describe('client certificate for a tls:// server, in PEM; empty: none'),
  keyFile: z.string().default('').describe('file with the private key of certFile, in PEM'),
})

export interface Target {
  protocol: 'udp' | 'tcp' | 'tls' | 'unix'
  /** Without brackets. */
  host: string
  port: number
  /** Of a `unix` socket. */
  path: string
}

const PORTS = { udp: 514, tcp: 601, tls: 6514 }

/** Null for an invalid URL. */
export function parseTarget(text: string): Target | null {
  const [, path] = /^unix:(\/[^\0]+)$/.exec(text) ?? []
  if (path !== undefined) return { protocol: 'unix', host: '', port: 0, path }
  const [, name = '', host = '', , bracketed, port] =
    /^(udp|tcp|tls):\/\/(([A-Za-z0-9._-]+)|\[([0-9a-fA-F:.]+)\])(?::(\d{1,5}))?$/.exec(text) ?? []
  const protocol = name as keyof typeof PORTS
  const number = Number(port ?? PORTS[protocol])
  return name === '' || number < 1 || number > 65_535
    ? null
    : { protocol, host: bracketed ?? host, port: number, path: '' }
}
