/** One connection to NATS, opened when it is needed. */
import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { OperatorError } from '#core'
import type { NatsOptions } from './nats-options.js'

const CONNECT_MS = 3000
/** A connection without a response to two pings is closed. */
const PING_MS = 5000

export interface NatsLink {
  /** Connects, unless a connection is open. Rejects if no server responds. */
  open(): Promise<NatsConnection>
  close(): Promise<void>
}

/**
 * The client does not reconnect by itself: it would keep messages of an outage in memory. The next delivery connects,
 * with the credentials and certificates that the files contain then.
 */
export function createNatsLink(options: NatsOptions): NatsLink {
  let current: Promise<NatsConnection> | null = null
  const forget = (connection: Promise<NatsConnection>) => {
    if (current === connection) current = null
  }
  return {
    open() {
      if (current) return current
      const connection = toClientOptions(options).then(connect)
      current = connection
      connection.then(
        (opened) => opened.closed().finally(() => forget(connection)),
        () => forget(connection),
      )
      return connection
    },
    async close() {
      const opened = await current?.catch(() => null)
      await opened?.close()
    },
  }
}

async function toClientOptions(options: NatsOptions): Promise<ConnectionOptions> {
  const { servers, user, password, token, credsFile, caFile, certFile, keyFile } = options
  const hasTls = caFile + certFile !== '' || servers.some((url) => url.startsWith('tls:'))
  return {
    servers: servers.map((url) => url.replace(/^\w+:\/\/|\/$/g, '')),
    name: 'mayfly',
    reconnect: false,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    ...(user !== '' && { user, pass: password }),
    ...(token !== '' && { token }),
    ...(credsFile !== '' && { authenticator: credsAuthenticator(await readOption('credsFile', credsFile)) }),
    ...(hasTls && {
      tls: {
        ...(caFile !== '' && { ca: toText(await readOption('caFile', caFile)) }),
        ...(certFile !== '' && {
          cert: toText(await readOption('certFile', certFile)),
          key: toText(await readOption('keyFile', keyFile)),
        }),
      },
    }),
  }
}

async function readOption(option: keyof NatsOptions, path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new OperatorError(`the file of ${option} cannot be read`, { code, isSetting: true, cause })
  }
}

const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
