/** Events in NATS JetStream: their form, deduplication, credentials, TLS, missing streams, and an outage. */

import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { nkeys } from '@nats-io/transport-node'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { DurableEvent, OperatorChannel } from '#core'
import { openPlugin } from '#core/testing'
import { makeStream, type NatsServer, readStream, startNats } from '#test/nats'
import { needs } from '#test/needs'
import { CLI, startServer } from '#test/start-server'
import nats from './index.js'

const EVENT: DurableEvent = {
  id: 'evt_1',
  type: 'secret.expired',
  at: Date.UTC(2026, 0, 1),
  data: { secretId: 'ä☃', ownerId: null, notify: false, createdAt: 0, views: 0 },
}
/** A retry begins 5 s after an attempt. */
const ARRIVAL = { timeout: 30_000, interval: 100 }
const never = new AbortController().signal

describe('events in NATS', needs('nats'), () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function start(lines?: (folder: string) => string): Promise<NatsServer> {
    const server = await startNats(lines)
    closing.push(server.end)
    return server
  }

  /** The channel of the plugin with these options. */
  async function open({ port }: NatsServer, options: object = {}): Promise<OperatorChannel> {
    const { channels, close } = await openPlugin(nats, { options: { servers: `nats://127.0.0.1:${port}`, ...options } })
    closing.push(close)
    return channels?.[0] as OperatorChannel
  }

  test('an event is stored as a CloudEvent, once for two deliveries', async () => {
    const server = await start()
    await makeStream(server, 'EVENTS', 'prod.mayfly.>')
    const channel = await open(server, { subject: 'prod.mayfly' })
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await channel.deliver(EVENT, never)).toEqual({ isDelivered: true, result: 'stored' })
    expect(await readStream(server, 'EVENTS')).toEqual([
      {
        id: 'evt_1',
        subject: 'prod.mayfly.secret.expired',
        messageId: 'evt_1',
        contentType: 'application/cloudevents+json',
        cloudEvent: {
          specversion: '1.0',
          id: 'evt_1',
          source: expect.stringMatching(/^http/),
          type: 'secret.expired',
          time: '2026-01-01T00:00:00.000Z',
          datacontenttype: 'application/json',
          data: EVENT.data,
        },
      },
    ])
  })

  test('a missing stream and a wrong stream are named, and the event is tried again', async () => {
    const server = await start()
    const channel = await open(server)
    const missing = { isDelivered: false, result: 'no stream stores this subject, or JetStream is off' }
    expect(await channel.deliver(EVENT, never)).toEqual(missing)
    await makeStream(server, 'EVENTS')
    const other = await open(server, { stream: 'OTHER' })
    expect(await other.deliver(EVENT, never)).toEqual({
      isDelivered: false,
      result: 'refused by the stream: expected stream does not match',
    })
    expect(await channel.deliver(EVENT, never)).toMatchObject({ isDelivered: true })
  })

  test('wrong credentials stop the start, and a user without the right to publish gets an error', async () => {
    const server = await start(
      () => 'authorization { users = [{ user: "zoë", password: "pässwort", permissions: { publish: "other.>" } }] }',
    )
    await expect(open(server, { user: 'zoë', password: 'wrong' })).rejects.toThrow('the server refuses the credentials')
    await expect(open(server)).rejects.toThrow('the server refuses the credentials')
    const channel = await open(server, { user: 'zoë', password: 'pässwort' })
    const result = 'publishing to this subject is not permitted'
    expect(await channel.deliver(EVENT, never)).toEqual({ isDelivered: false, result })
  })

  test('a token signs in', async () => {
    const server = await start(() => 'authorization { token: "tökén" }')
    await expect(open(server, { token: 'wrong' })).rejects.toThrow('the server refuses the credentials')
    expect((await (await open(server, { token: 'tökén' })).deliver(EVENT, never)).result).toMatch(/^no stream/)
  })

  test('a credentials file signs in, and is read again for the next connection', async () => {
    const account = nkeys.createAccount()
    const operator = nkeys.createOperator()
    const system = nkeys.createAccount()
    const server = await start(() => {
      const limits = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1 }
      const toLine = (key: nkeys.KeyPair) =>
        `${key.getPublicKey()}: ${signJwt(operator, key, { type: 'account', limits })}`
      return [
        `operator: ${signJwt(operator, operator, { type: 'operator' })}`,
        `system_account: ${system.getPublicKey()}`,
        'resolver: MEMORY',
        `resolver_preload { ${toLine(account)}, ${toLine(system)} }`,
      ].join('\n')
    })
    const credsFile = `${server.folder}/üser.creds`
    const writeCreds = (user: nkeys.KeyPair, issuer: nkeys.KeyPair) =>
      writeFile(credsFile, formatCreds(signJwt(issuer, user, { type: 'user', subs: -1, data: -1, payload: -1 }), user))
    await writeCreds(nkeys.createUser(), nkeys.createAccount())
    await expect(open(server, { credsFile })).rejects.toThrow('the server refuses the credentials')
    await writeCreds(nkeys.createUser(), account)
    const channel = await open(server, { credsFile })
    expect((await channel.deliver(EVENT, never)).result).toMatch(/^no stream/)
    await server.stop()
    await writeCreds(nkeys.createUser(), nkeys.createAccount())
    await vi.waitFor(async () => expect((await channel.deliver(EVENT, never)).result).toBe('connection refused'))
    await server.start()
    expect((await channel.deliver(EVENT, never)).result).toBe('credentials refused')
  })

  test('TLS is verified, and required by tls://', needs('openssl'), async () => {
    const server = await start((folder) => {
      const key = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${folder}/key.pem`]
      const certificate = ['-out', `${folder}/cert.pem`, '-subj', '/CN=nats', '-addext', 'subjectAltName=DNS:localhost']
      execFileSync('openssl', [...key, ...certificate], { stdio: 'ignore' })
      return `tls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem" }`
    })
    const servers = `tls://localhost:${server.port}`
    expect((await (await open(server, { servers })).deliver(EVENT, never)).result).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    const trusting = await open(server, { servers, caFile: `${server.folder}/cert.pem` })
    expect((await trusting.deliver(EVENT, never)).result).toMatch(/^no stream/)
    const plain = await start()
    const refusing = await open(plain, { servers: `tls://127.0.0.1:${plain.port}` })
    expect((await refusing.deliver(EVENT, never)).result).toBe("server does not support 'tls'")
    await expect(open(server, { servers, caFile: '/missing/ü' })).rejects.toThrow('the file of caFile cannot be read')
  })

  test('events of an outage are stored after it, each once', { timeout: 60_000 }, async () => {
    const broker = await start()
    await makeStream(broker, 'EVENTS')
    const env = {
      MAYFLY_PLUGINS: 'web,nats',
      MAYFLY_NATS_SERVERS: `nats://127.0.0.1:${broker.port}`,
      MAYFLY_NATS_EVENTS: 'secret.created',
    }
    const server = await startServer({ env })
    closing.push(server.stop)
    const create = async () => {
      const body = JSON.stringify({ text: 'grün ☃', ttl: 60 })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/secret`, { method: 'POST', headers, body })
      expect(response.status).toBe(201)
      // In a raw link, the key follows the id.
      return ((await response.json()) as { id: string }).id.split('~')[0]
    }
    const readSecrets = async () =>
      (await readStream(broker, 'EVENTS')).map(({ cloudEvent }) => (cloudEvent.data as { secretId: string }).secretId)
    const countFailed = async () => {
      const env = { MAYFLY_DATA_DIR: server.dataDir, PATH: process.env.PATH }
      const args = [CLI, 'events', 'list', '--state', 'pending', '--json']
      const { stdout } = await promisify(execFile)(process.execPath, args, { env })
      const entries = JSON.parse(stdout) as { attempts: number; result: string | null }[]
      return entries.filter(({ attempts, result }) => attempts > 0 && result === 'connection refused').length
    }
    const ids = [await create()]
    await vi.waitFor(async () => expect(await readSecrets()).toEqual(ids), ARRIVAL)
    await broker.stop()
    for (let count = 0; count < 5; count++) ids.push(await create())
    await vi.waitFor(async () => expect(await countFailed()).toBe(5), ARRIVAL)
    await broker.start()
    await vi.waitFor(async () => expect((await readSecrets()).sort()).toEqual([...ids].sort()), ARRIVAL)
  })
})

/** A JWT of NATS, as its tool nsc makes it. */
function signJwt(issuer: nkeys.KeyPair, subject: nkeys.KeyPair, claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const nats = Object.assign({ version: 2 }, claims)
  const payload = {
    jti: randomUUID(),
    iat: 1,
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'tëst',
    nats,
  }
  const signed = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(payload)}`
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
}

/** A file of credentials. */
const formatCreds = (jwt: string, user: nkeys.KeyPair) => {
  const block = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
  return block('NATS USER JWT', jwt) + block('USER NKEY SEED', new TextDecoder().decode(user.getSeed()))
}
