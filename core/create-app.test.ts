import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { builtIns } from '#plugins'
import { memory } from '#test/memory-plugin'
import { testApp } from '#test/test-app'
import { CLOCK_KEY } from './cleanup/scheduler.js'
import { anonymous } from './contracts/auth-context.js'
import { definePlugin, type Hooks, type Plugin } from './plugins/plugin.js'
import { route } from './plugins/plugin-route.js'
import { createSecret } from './secrets/create-secret.js'
import { viewSecret } from './secrets/view-secret.js'
import { T0 } from './testing/lib/fixtures.js'

/** Records when it is set up and closed. */
const noting = (name: string, notes: string[], hooks: Partial<Hooks> = {}): Plugin =>
  definePlugin({
    contract: 1,
    name,
    options: z.object({}),
    setup() {
      notes.push(`set up ${name}`)
      return { close: () => void notes.push(`close ${name}`), ...hooks }
    },
  }) as Plugin

const failing = (name: string): Plugin =>
  definePlugin({
    contract: 1,
    name,
    options: z.object({}),
    setup: () => Promise.reject(new Error('cannot reach 10.0.0.1:5432')),
  }) as Plugin

test('REL-09: an expired secret stays expired when the system clock is set back and the server restarts', async () => {
  const sqlite = (await builtIns.sqlite()).default as unknown as Plugin
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-clock-'))
  const DAY_MS = 24 * 60 * 60_000
  const before = await testApp(sqlite, { dataDir, now: T0 })
  const body = { text: 'ein Geheimnis ☃', ttl: 3600 }
  const { id } = await createSecret(before, body, anonymous(null))
  await before.storage.instanceState.set(CLOCK_KEY, String(T0 + DAY_MS))
  await before.close()
  const after = await testApp(sqlite, { dataDir, now: T0 })
  expect(after.clock.now).toBe(T0 + DAY_MS)
  await expect(viewSecret(after, id, {}, anonymous(null))).rejects.toMatchObject({ code: 'secret.not_found' })
  await after.close()
  await rm(dataDir, { recursive: true })
})

describe('auth providers', () => {
  const providers = (name: string, ids: string[]) =>
    noting(name, [], { auth: () => ids.map((id) => ({ id, signUp: true, header: async () => null })) })

  test.each([
    ['two of one plugin', [providers('one', ['company', 'company'])]],
    ['two of two plugins', [providers('one', ['a', 'company']), providers('two', ['company'])]],
    ['a provider with the id of the local passwords', [providers('one', ['local'])]],
  ])('%s with one id stop the start, and started plugins are closed', async (_, auth) => {
    const notes: string[] = []
    const boot = testApp(memory, { auth: [noting('first', notes, { auth: () => [] }), ...auth] })
    await expect(boot).rejects.toThrow(/^Two auth providers have the id "(company|local)"\.$/)
    expect(notes).toEqual(['set up first', 'close first'])
  })

  test.each(['', 'A', 'a b', '../x', 'a_b', '-a', 'a-', 'ä'])('provider id %j stops the start', async (id) => {
    await expect(testApp(memory, { auth: [providers('one', [id])] })).rejects.toThrow('is not a valid auth provider id')
  })

  test('a plugin without an auth provider stops the start', async () => {
    const boot = testApp(memory, { auth: [noting('one', [])] })
    await expect(boot).rejects.toThrow('Plugin "one" does not provide an auth provider.')
  })
})

test('plugins are set up in order and closed in reverse, once', async () => {
  const notes: string[] = []
  const app = await testApp(memory, { plugins: [noting('one', notes), noting('two', notes)] })
  await app.close()
  await app.close()
  expect(notes).toEqual(['set up one', 'set up two', 'close two', 'close one'])
})

test('REL-20: a plugin that fails to close does not prevent the others from closing', async () => {
  const notes: string[] = []
  const close = () => Promise.reject(new Error('hunter2'))
  const app = await testApp(memory, { plugins: [noting('one', notes), noting('two', notes, { close })] })
  await app.close()
  expect(notes).toEqual(['set up one', 'set up two', 'close one'])
  expect(app.logged.join()).toContain('"part":"two"')
  expect(app.logged.join()).not.toContain('hunter2')
})

describe('a plugin that does not start', () => {
  test('a plugin that fails in setup stops the start with one sentence, and started plugins are closed', async () => {
    const notes: string[] = []
    const boot = testApp(memory, { plugins: [noting('one', notes), failing('two'), noting('three', notes)] })
    await expect(boot).rejects.toThrow('Plugin "two" did not start: cannot reach 10.0.0.1:5432')
    expect(notes).toEqual(['set up one', 'close one'])
  })

  test('an empty storage slot stops the start', async () => {
    const notes: string[] = []
    await expect(testApp(noting('empty', notes))).rejects.toThrow('Plugin "empty" does not provide a storage.')
    expect(notes).toEqual(['set up empty', 'close empty'])
  })
})

test('only the configured plugin fills the storage slot', async () => {
  const notes: string[] = []
  const other = (await memory.setup({}, {} as never)) as Hooks
  const app = await testApp(memory, { plugins: [noting('other', notes, other)] })
  expect(app.storage).not.toBe(other.storage)
  await app.close()
})

test('REL-20: a failing listener affects neither the request nor other listeners', async () => {
  const on = { 'secret.created': () => Promise.reject(new Error('hunter2')) }
  const app = await testApp(memory, { plugins: [noting('one', [], { on })] })
  const server = createServer(app.handler)
  await request(server).post('/api/v1/secret').send({ text: 'a ☃', ttl: 60 }).expect(201)
  expect(app.emitted).toHaveLength(1)
  expect(app.logged.join()).toContain('event listener failed')
  expect(app.logged.join()).not.toContain('hunter2')
  await app.close()
})

test('a plugin adds routes under both API prefixes, and pages elsewhere', async () => {
  const extra = noting('extra', [], {
    routes: [
      route({
        method: 'GET',
        path: '/extra',
        summary: 'Get it',
        access: 'anyone',
        response: z.object({ extra: z.boolean() }),
        handle: async () => ({ extra: true }),
      }),
    ],
    pages: (ctx) => {
      ctx.body = 'a page'
    },
  })
  const app = await testApp(memory, { plugins: [extra] })
  const server = createServer(app.handler)
  await request(server).get('/api/v1/extra').expect(200, { extra: true })
  await request(server).get('/api/extra').expect(200, { extra: true })
  await request(server).get('/secret/x').expect(200, 'a page')
  await request(server).get('/api/v1/nothing').expect(404)
  await app.close()
})

test('SEC-32, REL-20, V16.5.1: an error of a plugin is a plain 500 with a request id that is in the log', async () => {
  const routes = [
    route({
      method: 'GET',
      path: '/broken',
      summary: 'Fail',
      access: 'anyone',
      handle: () => Promise.reject(new Error('db password is hunter2')),
    }),
  ]
  const app = await testApp(memory, { plugins: [noting('broken', [], { routes })] })
  const { body, headers } = await request(createServer(app.handler)).get('/api/v1/broken').expect(500)
  expect(body).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    code: 'server.error',
    message: 'Something went wrong.',
    requestId: headers['x-request-id'],
  })
  expect(app.logged.join()).toContain(body.requestId)
  expect(app.logged.join()).not.toContain('hunter2')
  await app.close()
})

describe('the limits slot', () => {
  const consume = async () => [{ granted: false, used: 60, endsAt: Number.MAX_SAFE_INTEGER }]
  const refusing = definePlugin({
    contract: 1,
    name: 'refusing',
    options: z.object({}),
    setup: () => ({ limits: { consume, reset: async () => {}, deleteExpired: async () => 0 } }),
  }) as Plugin
  const status = async (limits: string) => {
    const app = await testApp(memory, { settings: { limits }, plugins: [refusing] })
    try {
      return (await request(createServer(app.handler)).get('/api/v1/secret/public')).status
    } finally {
      await app.close()
    }
  }

  test('the limits slot uses the configured plugin, or the storage', async () => {
    expect(await status('refusing')).toBe(429)
    expect(await status('')).toBe(200)
    expect(await status('memory')).toBe(200)
  })

  test('limits can be turned off, and an unknown plugin stops the start', async () => {
    expect(await status('off')).toBe(200)
    await expect(status('test-listener')).rejects.toThrow('"test-listener" does not provide a rate-limit store')
    await expect(status('none')).rejects.toThrow('"none" does not provide')
  })
})
