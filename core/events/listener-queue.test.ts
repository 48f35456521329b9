/** Event listeners run after the response and never change it. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import request from 'supertest'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type LogFields, noLog } from '#core/lib/log'
import { definePlugin, type Hooks, type Plugin } from '#core/plugins/plugin'
import { memory } from '#test/memory-plugin'
import { type TestApp, testApp } from '#test/test-app'
import { createListenerQueue } from './listener-queue.js'

let app: TestApp | undefined
let server: Server | undefined
afterEach(async () => {
  server?.close()
  await app?.close()
  app = undefined
})

async function startWith(...hooks: Hooks[]): Promise<void> {
  const plugins = hooks.map((hook, index) =>
    definePlugin({ contract: 1, name: `listener-${index}`, options: z.object({}), setup: () => hook }),
  )
  app = await testApp(memory, { plugins: plugins as Plugin[] })
  server = createServer(app.handler)
}

/** Blocks the process until the file is there. Returns false after 30 s without it. */
function blockUntilThere(file: string): boolean {
  const end = performance.now() + 30_000
  while (!existsSync(file)) if (performance.now() > end) return false
  return true
}

/**
 * Creates a secret from another process, which writes the file once it has the response. A client in this process would
 * be blocked as well.
 */
async function createInOtherProcess(file: string): Promise<void> {
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = (server as Server).address() as AddressInfo
  const code = `const headers = { 'content-type': 'application/json', connection: 'close' }
    const body = JSON.stringify({ text: 'grün ☃', ttl: 60 })
    const answer = await fetch('http://127.0.0.1:${port}/api/v1/secret', { method: 'POST', headers, body })
    await answer.json()
    fs.writeFileSync('${file}', '')`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', `import fs from 'node:fs'\n${code}`])
}

const create = () =>
  request(server as Server)
    .post('/api/v1/secret')
    .send({ text: 'grün ☃', ttl: 60 })
    .expect(201)
const responses = { waitUntilSettled: async () => {} }
const created = { userId: 'bob', provider: 'local' }

test('a listener runs after the response of its event', async () => {
  const order: string[] = []
  await startWith({ on: { 'secret.created': () => void order.push('listener') } })
  const handler = server?.listeners('request')[0] as (...args: unknown[]) => void
  server?.removeAllListeners('request').on('request', (req, res) => {
    res.once('finish', () => order.push('response'))
    handler(req, res)
  })
  await create()
  await expect.poll(() => order).toEqual(['response', 'listener'])
})

test('listeners that throw, hang or block leave responses unchanged and are logged by plugin and event', async () => {
  const heard: string[] = []
  let release = () => {}
  const hang = () =>
    new Promise<void>((resolve) => {
      release = resolve
    })
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-listeners-'))
  const received = join(folder, 'received')
  let wasReceived = false
  const block = () => {
    wasReceived = blockUntilThere(received)
  }
  await startWith(
    {
      on: {
        'secret.created': () => {
          throw new TypeError('grün ☃')
        },
      },
    },
    { on: { 'secret.created': hang } },
    { on: { 'secret.created': block } },
    { on: { 'secret.created': ({ secretId }) => void heard.push(secretId) } },
  )
  await createInOtherProcess(received)
  await expect.poll(() => heard).toHaveLength(1)
  expect(wasReceived).toBe(true)
  release()
  await rm(folder, { recursive: true })
  expect(app?.logged.join()).toContain(
    '"msg":"event listener failed","plugin":"listener-0","event":"secret.created","error":"TypeError"',
  )
})

test('a listener that hangs is logged after its time limit and the next event follows', async () => {
  const log: string[] = []
  const heard: string[] = []
  const queue = createListenerQueue({
    plugin: 'slow',
    listeners: {
      'user.created': () => new Promise(() => {}),
      'user.deleted': ({ userId }) => void heard.push(userId),
    },
    log: { ...noLog, error: (msg, fields) => void log.push(`${msg} ${JSON.stringify(fields)}`) },
    responses,
    timeoutMs: 20,
  })
  queue.add('user.created', created)
  queue.add('user.deleted', { userId: 'jörg' })
  await expect.poll(() => heard).toEqual(['jörg'])
  expect(log).toEqual(['event listener timed out {"plugin":"slow","event":"user.created","error":"TimeoutError"}'])
})

test('stop waits for queued events, and reports dropped events', async () => {
  const heard: string[] = []
  const quick = createListenerQueue({
    plugin: 'quick',
    listeners: { 'user.created': ({ userId }) => sleep(1).then(() => void heard.push(userId)) },
    responses,
    log: noLog,
  })
  quick.add('user.created', created)
  quick.add('user.created', { ...created, userId: 'eve' })
  await quick.stop()
  expect(heard).toEqual(['bob', 'eve'])

  let dropped = 0
  const countDropped = (_msg: string, fields: LogFields = {}) => {
    dropped += Number(fields.events ?? 0)
  }
  const stuck = createListenerQueue({
    plugin: 'stuck',
    listeners: { 'user.created': () => new Promise(() => {}) },
    log: { ...noLog, error: countDropped },
    responses,
    timeoutMs: 30,
  })
  stuck.add('user.created', created)
  await sleep(5)
  for (let count = 0; count < 10_002; count++) stuck.add('user.created', created)
  await stuck.stop()
  expect(dropped).toBeGreaterThanOrEqual(10_000)
})

test('beforeResponse listeners end before the response', async () => {
  const ended: string[] = []
  await startWith({
    beforeResponse: { 'secret.created': ({ secretId }) => sleep(50).then(() => void ended.push(secretId)) },
  })
  const { body } = await create()
  expect(ended).toEqual([body.id.split('~')[0]])
})
