/** Options of database servers. */
import { readFile } from 'node:fs/promises'
import { flag, isLoopbackHost, OperatorError, secret, wholeNumber, z } from '#core'
import { batchSize } from './connection-defaults.js'
import { parseServerUrl, type ServerUrl, type UrlDialect } from './server-url.js'

/** The options of a database server. */
export function serverOptions(dialect: UrlDialect) {
  const url = z.string().superRefine((text, check) => {
    const parsed = parseServerUrl(text, dialect)
    if (typeof parsed === 'string') check.addIssue({ code: 'custom', message: parsed })
  })
  return z.object({
    url: secret(url.describe(`${dialect.schemes[0]}://user:password@host:port/database`)),
    poolSize: wholeNumber(1, 1000)
      .default(10)
      .describe('maximum number of connections of one process; at least 2 with MySQL and MariaDB'),
    batchSize,
    tls: flag().default(false).describe('require TLS and verify the certificate of the server'),
    ca: z
      .string()
      .default('')
      .describe('PEM file with the certificate authorities to trust instead of the default ones; turns on tls'),
  })
}

export type ServerOptions = z.output<ReturnType<typeof serverOptions>>

export interface Address extends Omit<ServerUrl, 'tls' | 'ca' | 'port'> {
  /** The default port of the engine when the URL has none. */
  port: number
  /** Null: without TLS. `ca` null: the certificate authorities that Node.js trusts. */
  tls: { ca: string | null } | null
  /** A server that does not speak TLS is used without it. */
  isTlsOptional: boolean
  /** The connection leaves this machine without TLS. */
  isUnencrypted: boolean
  /** For logs and messages, without credentials. */
  location: string
}

/** Throws an OperatorError about the settings, without any part of the URL. */
export async function addressOf(
  { url: text, tls: isRequired, ca: caFile }: ServerOptions,
  dialect: UrlDialect,
  defaultPort: number,
): Promise<Address> {
  const url = parseServerUrl(text, dialect)
  if (typeof url === 'string') throw new OperatorError(`the URL ${url}.`, { isSetting: true })
  const ca = caFile || url.ca || ''
  const { mode, isTlsOptional } = chooseTls(url.tls, isRequired || ca !== '')
  const host = url.host || 'localhost'
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    ...url,
    host,
    port: url.port ?? defaultPort,
    tls: mode ? { ca: ca === '' ? null : await readAuthorities(ca) } : null,
    isTlsOptional,
    isUnencrypted: !mode && url.socket === null && !isLoopbackHost(host),
    location: `${url.socket ?? shownHost + (url.port === null ? '' : `:${url.port}`)}/${url.database}`,
  }
}

/** `mode`: use TLS. */
function chooseTls(mode: ServerUrl['tls'], isRequired: boolean): { mode: boolean; isTlsOptional: boolean } {
  if (isRequired && mode === 'disable')
    throw new OperatorError('the URL turns off TLS, but the settings require it.', { isSetting: true })
  return {
    mode: isRequired || mode === 'require' || mode === 'prefer',
    isTlsOptional: !isRequired && mode === 'prefer',
  }
}

async function readAuthorities(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const message = `the file with the certificate authorities could not be read (${code}).`
    throw new OperatorError(message, {
      isSetting: true,
      code,
      cause,
      hint: 'correct the path of `ca`, sslrootcert or ssl-ca',
    })
  }
}
