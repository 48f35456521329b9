/**
 * Webhooks of users on the built server: TLS, signatures, a killed server, and what the files of the server contain.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import knex from 'knex'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { needs } from '#test/needs'
import { spawnCli } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'
import { createTlsListener } from '#test/tls-listener'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A receiver of https requests on localhost. */
async function startReceiver(handler: RequestListener): Promise<{ url: string; caFile: string }> {
  const http = createServer(handler)
  const { server, caFile, close } = createTlsListener()
  server.on('secureConnection', (socket) => http.emit('connection', socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => {
    server.close()
    http.closeAllConnections()
    close()
  })
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/hook?key=ö`, caFile }
}

/** The lease of a killed process would end after a minute. */
async function endLeases(dataDir: string): Promise<void> {
  const connection = { filename: join(dataDir, 'mayfly.db') }
  const db = knex({ client: 'sqlite3', connection, useNullAsDefault: true })
  await db('leases')
    .update({ ends_at: 0 })
    .finally(() => db.destroy())
}

test(
  'a signed request arrives once the receiver works, also after the server was killed',
  needs('openssl'),
  async () => {
    const received: { secret: string; event: unknown }[] = []
    let secrets: string[] = []
    let isBroken = true
    const { url, caFile } = await startReceiver(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      if (isBroken) return response.writeHead(503).end()
      for (const secret of secrets) {
        const event = new Webhook(secret).verify(body, request.headers as Record<string, string>)
        received.push({ secret, event })
      }
      return response.writeHead(204).end()
    })
    const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
    closing.push(() => rm(dataDir, { recursive: true }))
    const env = {
      MAYFLY_PLUGINS: 'web,webhook',
      MAYFLY_WEBHOOK_USER_TARGETS: 'true',
      MAYFLY_WEBHOOK_USER_TARGETS_ALLOW: '127.0.0.1,::1',
      NODE_EXTRA_CA_CERTS: caFile,
    }
    let server: RunningServer = await startServer({ dataDir, env })
    const mayfly = async (...words: string[]) => {
      const cwd = join(dataDir, '..')
      const options = { env: { MAYFLY_DATA_DIR: dataDir, MAYFLY_SERVER: server.url, MAYFLY_TOKEN: token }, cwd }
      const { stdout, stderr, code } = await spawnCli(words, options)
      expect(code, stderr).toBe(0)
      return stdout.toString().trim()
    }
    let token = ''
    await mayfly('user', 'add', 'alice', '--email', 'alice@example.org')
    token = await mayfly('user', 'token', 'alice')
    const first = await mayfly('webhook', 'add', url, '--events', 'secret.created')
    const id = JSON.parse(await mayfly('webhook', 'list', '--json'))[0].id
    const second = await mayfly('webhook', 'rotate', id)
    secrets = [first, second]
    await mayfly('secret', 'create', '--text', 'täxt')
    await server.kill()
    await endLeases(dataDir)
    isBroken = false
    server = await startServer({ dataDir, env })
    closing.push(() => server.stop())
    await expect.poll(() => received.length).toBe(2)
    expect(received.map(({ secret }) => secret)).toEqual(secrets)
    expect(received[0]?.event).toMatchObject({ type: 'secret.created', data: { kind: 'sealed' } })
    await expect
      .poll(async () => JSON.parse(await mayfly('webhook', 'deliveries', id, '--json')))
      .toMatchObject([{ state: 'delivered', result: 'HTTP 204' }])
    const database = await readFile(join(dataDir, 'mayfly.db'), 'latin1')
    for (const secret of secrets) expect(database + server.log()).not.toContain(secret.slice('whsec_'.length))
  },
)
