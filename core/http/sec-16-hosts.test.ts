/** SEC-16: a Host that somebody made up leads nowhere, and into no link. */
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { builtIns } from '#plugins'
import type { AppSettings } from '../app.js'
import type { Plugin } from '../plugin.js'
import { type TestApp, testApp } from '../testing/test-app.js'
import { listen } from './server.js'

const memory = (await builtIns.memory()).default as Plugin
const BODY = JSON.stringify({ text: 'text', ttl: 60 })

let app: TestApp
let server: Server
const start = async (settings: Partial<AppSettings> = {}) => {
  app = await testApp(memory, { settings: { allowedHosts: ['Mayfly.internal', '10.0.0.11'], ...settings } })
  server = await listen(app.handler, '127.0.0.1', 0)
}
afterEach(async () => {
  server.close()
  await app.close()
})

/** Sends lines as they are; answers status and body. */
function send(lines: string[], body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    socket.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      resolve({ status: Number(text.slice(9, 12)), text })
    })
    const all = [...lines, 'Connection: close', ...(body && [`Content-Length: ${body.length}`])]
    socket.write(`${all.join('\r\n')}\r\n\r\n${body}`)
  })
}
const ask = async (...lines: string[]) => (await send(['GET /api/v1/settings HTTP/1.1', ...lines])).status

test.each([
  'secrets.example.org',
  'SECRETS.example.org:443',
  'secrets.example.org:1234',
  'mayfly.INTERNAL',
  '10.0.0.11:3000',
  'localhost:3000',
  '127.0.0.1',
  '127.1.2.3',
  '[::1]:3000',
])('it answers under %s', async (host) => {
  await start()
  expect(await ask(`Host: ${host}`)).toBe(200)
})

test.each([
  'evil.example',
  'secrets.example.org.evil.example',
  'evil.example/secrets.example.org',
  'secrets.example.org@evil.example',
  'user@secrets.example.org',
  'user:password@secrets.example.org',
  'secrets.example.org:evil',
  'secrets.example.org.',
  'secrets.example.org, evil.example',
  'localhost.evil.example',
  '10.0.0.12',
  '[::ffff:10.0.0.12]',
  '0x7f000001',
  '2130706433',
  '[::1',
  '',
])('it does not answer under %j', async (host) => {
  await start()
  const { status, text } = await send(['GET /api/v1/settings HTTP/1.1', `Host: ${host}`])
  expect(status).toBe(421)
  expect(text).toContain('"code":"request.wrong_host"')
})

test('an address of its own is enough while publicUrl is not configured, and a name is not', async () => {
  await start({ publicUrl: 'http://localhost:3000', anyAddress: true })
  for (const host of ['10.0.0.12:3000', '[2001:db8::1]', 'localhost']) expect(await ask(`Host: ${host}`)).toBe(200)
  expect(await ask('Host: evil.example')).toBe(421)
})

test('what names two hosts is refused, in whatever order, and so is another one in the address', async () => {
  await start()
  const own = 'Host: secrets.example.org'
  expect(await ask(own, 'Host: evil.example')).toBe(421)
  expect(await ask('Host: evil.example', own)).toBe(421)
  expect(await ask(own, own)).toBe(421)
  const absolute = async (url: string) => (await send([`GET ${url} HTTP/1.1`, own])).status
  expect(await absolute('http://secrets.example.org/api/v1/settings')).toBe(200)
  expect(await absolute('http://evil.example/api/v1/settings')).toBe(421)
  expect(await absolute('http://secrets.example.org@evil.example/api/v1/settings')).toBe(421)
  expect(await absolute('http://user@secrets.example.org/api/v1/settings')).toBe(421)
  expect((await send(['GET /api/v1/settings HTTP/1.0'])).status).toBe(421)
})

test('pages, addresses that are not there and refused methods are no way around it', async () => {
  await start()
  for (const line of [
    'GET / HTTP/1.1',
    'GET /secret/x HTTP/1.1',
    'GET /api HTTP/1.1',
    'POST /api/v1/secret HTTP/1.1',
  ]) {
    expect((await send([line, 'Host: evil.example'])).status).toBe(421)
  }
})

test('health is told to whoever asks', async () => {
  await start()
  for (const path of ['/healthz', '/readyz']) {
    expect((await send([`GET ${path} HTTP/1.1`, 'Host: 10.1.2.3:3000'])).status).toBe(204)
  }
})

test('links come from publicUrl, whatever the request says', async () => {
  await start()
  const type = 'Content-Type: application/json'
  for (const lie of ['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example', 'X-Forwarded-Proto: http']) {
    const { status, text } = await send(['POST /api/v1/secret HTTP/1.1', 'Host: mayfly.internal', type, lie], BODY)
    expect(status).toBe(201)
    expect(text).toContain('"url":"https://secrets.example.org/secret/')
    expect(text).not.toContain('evil')
  }
})

test('what is refused is told once in the log, without the name, and counted in the audit', async () => {
  await start()
  for (let n = 0; n < 5; n++) await ask(`Host: evil-${n}.example`)
  expect(app.log.filter((line) => line.includes('allowedHosts'))).toHaveLength(1)
  expect(app.log.join()).not.toContain('evil')
  await app.services.audit.flush()
  const entries = await app.storage.audit.list({ action: 'request.wrong_host' }, { skip: 0, take: 10 })
  expect(entries).toHaveLength(1)
})
