/** The receivers of docs/webhooks.md accept our requests, and refuse changed and old ones. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '#core/runtime'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { postEvent } from './post-event.js'
import { signatureHeaders } from './sign-event.js'

const SECRET = `whsec_${Buffer.alloc(33, 'ä☃').toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const DATA = { secretId: 'ä☃', ownerId: null, notify: false, createdAt: 0, views: 0 }
const BODY = JSON.stringify({ type: 'secret.viewed', data: { secretId: 'ä☃', views: 1 } })
const now = () => Math.floor(Date.now() / 1000)

let folder: string
let running: ChildProcess | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-receivers-'))
  const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8')
  for (const [, file = '', code = ''] of page.matchAll(/<!-- (\S+) -->\n```\w+\n([\s\S]*?)```/g))
    writeFileSync(join(folder, file), code)
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void running?.kill())

async function startReceiver(program: string, file: string): Promise<string> {
  const port = await freePort()
  running = spawn(program, [join(folder, file)], { env: { ...process.env, SECRET, PORT: String(port) } })
  const url = `http://127.0.0.1:${port}/`
  await expect.poll(() => fetch(url).then(({ status }) => status), { timeout: 20_000 }).toBeGreaterThan(0)
  return url
}

/** Status of a signed request that is changed on its way. */
async function statusOf(url: string, { secrets = [SECRET], timestamp = now(), sent = BODY }): Promise<number> {
  const headers = signatureHeaders(secrets, { id: 'evt_1', timestamp, body: BODY })
  return (await fetch(url, { method: 'POST', headers, body: sent })).status
}

test.each([
  [process.execPath, 'receiver.mjs'],
  ['python3', 'receiver.py'],
])('%s %s', { timeout: 60_000, ...needs('python3') }, async (program, file) => {
  const url = await startReceiver(program, file)
  const event = { id: 'evt_1', type: 'secret.expired', at: Date.now(), data: DATA } as const
  const target = { url, secrets: [OTHER, SECRET], allow: ['127.0.0.1'] }
  expect(await postEvent(target, event, new AbortController().signal)).toEqual({
    isDelivered: true,
    result: 'HTTP 204',
  })
  expect(await statusOf(url, {})).toBe(204)
  expect(await statusOf(url, { sent: BODY.replace('1', '2') })).toBe(401)
  expect(await statusOf(url, { secrets: [OTHER] })).toBe(401)
  expect(await statusOf(url, { timestamp: now() - 301 })).toBe(401)
})

test('sh verify.sh', needs('openssl'), () => {
  const verify = ({ secrets = [SECRET], timestamp = now(), sent = BODY }) => {
    const headers = signatureHeaders(secrets, { id: 'evt_1', timestamp, body: BODY })
    const args = [join(folder, 'verify.sh'), 'evt_1', String(timestamp), headers['webhook-signature'] ?? '']
    return spawnSync('sh', args, { input: sent, env: { ...process.env, SECRET } }).status
  }
  execFileSync('sh', ['-n', join(folder, 'verify.sh')])
  expect(verify({ secrets: [OTHER, SECRET] })).toBe(0)
  expect(verify({ sent: BODY.replace('1', '2') })).toBe(1)
  expect(verify({ secrets: [OTHER] })).toBe(1)
  expect(verify({ timestamp: now() - 301 })).toBe(1)
})

test('the standardwebhooks package', () => {
  const verify = ({ secrets = [SECRET], timestamp = now(), sent = BODY }) =>
    new Webhook(SECRET).verify(sent, signatureHeaders(secrets, { id: 'evt_1', timestamp, body: BODY }))
  expect(verify({ secrets: [OTHER, SECRET] })).toEqual(JSON.parse(BODY))
  expect(() => verify({ sent: BODY.replace('1', '2') })).toThrow('No matching signature')
  expect(() => verify({ secrets: [OTHER] })).toThrow('No matching signature')
  expect(() => verify({ timestamp: now() - 301 })).toThrow('too old')
})
