import { createServer } from 'node:http'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { onMemory } from '#test/for-each-storage'
import { memory } from '#test/memory-plugin'
import { testApp } from '#test/test-app'
import { definePlugin, type Hooks, type Plugin } from '../plugins/plugin.js'
import type { PluginApp } from '../plugins/plugin-app.js'
import { type PluginRoute, route } from '../plugins/plugin-route.js'

const echo = route({
  method: 'POST',
  path: '/echo/:word',
  summary: 'Echo a word',
  access: 'anyone',
  perMinute: 4,
  bodyLimit: 100,
  params: z.object({ word: z.string().max(10) }),
  headers: { 'x-sign': z.string().max(3) },
  body: z.strictObject({ times: z.int().min(1).max(3) }),
  response: z.object({ text: z.string(), userId: z.string().nullable(), sign: z.string() }),
  status: 201,
  async handle({ params, body, caller, header }) {
    const hidden = { internal: 'not in the response' }
    return { text: params.word.repeat(body.times), userId: caller.userId, sign: header('x-sign') ?? '', ...hidden }
  },
})
const restricted = (path: string, access: PluginRoute['access']) =>
  route({ method: 'GET', path, summary: 'Check access', access, handle: async () => {} })

let ready: PluginApp[] = []
const withHooks = (name: string, hooks: Hooks) =>
  definePlugin({ contract: 1, name, options: z.object({}), setup: () => hooks }) as Plugin
const plugin = withHooks('echo', {
  routes: [echo, restricted('/echo-user', 'user'), restricted('/echo-admin', 'admin')],
  ready: (app) => void ready.push(app),
})
const postEcho = { times: 2 }

onMemory(
  (site) => {
    const { call } = site

    test.each(['/api/v1/echo/a%20b', '/api/echo/a%20b'])('POST %s reaches the route of a plugin', async (path) => {
      const { body } = await call('POST', path).set('x-sign', '☃'.length.toString()).send(postEcho).expect(201)
      expect(body).toEqual({ text: 'a ba b', userId: null, sign: '1' })
    })

    test('the routes of plugins validate the request by their schemas and name the field', async () => {
      const refused = async (path: string, body: object) => (await call('POST', path).send(body)).body
      expect(await refused('/api/v1/echo/a', { times: 9 })).toMatchObject({ code: 'request.invalid', field: 'times' })
      expect(await refused('/api/v1/echo/a', { times: 1, x: 1 })).toMatchObject({ field: 'x' })
      expect(await refused('/api/v1/echo/a?b=c', postEcho)).toMatchObject({ field: 'b' })
      expect(await refused('/api/v1/echo/longer-than-allowed', postEcho)).toMatchObject({ code: 'request.not_found' })
      expect(await refused('/api/v1/echo/a', { times: 1, pad: 'x'.repeat(200) })).toMatchObject({
        code: 'request.too_large',
      })
      const { body } = await call('POST', '/api/v1/echo/a').set('x-sign', 'long').send(postEcho).expect(400)
      expect(body.field).toBe('x-sign')
    })

    test('the routes of plugins check their access rules', async () => {
      const { app } = site
      const user = await app.as(await app.signUp())
      const admin = await app.as(await app.signUp({ role: 'admin' }))
      await call('GET', '/api/v1/echo-user').expect(401)
      await call('GET', '/api/v1/echo-user').set(user).expect(204)
      await call('GET', '/api/v1/echo-admin').set(user).expect(403)
      await call('GET', '/api/v1/echo-admin').set(admin).expect(204)
      const foreign = { ...user, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
      await call('POST', '/api/v1/echo/a').set(foreign).send(postEcho).expect(403)
    })

    test('the API document contains the routes of plugins', async () => {
      const { body } = await call('GET', '/api/v1/openapi.json').expect(200)
      const { post } = body.paths['/echo/{word}']
      expect(post).toMatchObject({ summary: 'Echo a word', tags: ['Plugin echo'] })
      expect(Object.keys(post.responses)).toContain('201')
      expect(body.tags).toContainEqual({ name: 'Plugin echo' })
    })

    test('ready runs once, with an interface that creates secrets and finds users', async () => {
      expect(ready).toHaveLength(1)
      const [{ secrets, users, settings, health }] = ready as [PluginApp]
      const { url, id } = await secrets.create({ text: 'grün ☃', ttl: 60 })
      expect(url).toContain('https://secrets.example.org/')
      const { body } = await call('GET', `/api/v1/secret/${id}`).expect(200)
      expect(body.text).toBe('grün ☃')
      const { id: userId, email } = await site.app.signUp({ username: 'joerg' })
      const found = await users.find('Joerg')
      expect(found).toMatchObject({ id: userId, username: 'joerg', role: 'user', email })
      expect(JSON.stringify(found)).not.toContain('argon2')
      expect(await users.find('nobody')).toBeNull()
      expect(await settings.get('read_only')).toBe(false)
      expect(await health.parts()).toContainEqual({ name: 'storage', isUp: true })
    })
  },
  { shared: true, app: { plugins: [plugin] } },
)

describe('rate limit', () => {
  test('a route of a plugin has its own limit for each address', async () => {
    const app = await testApp(memory, { plugins: [plugin], settings: { limits: 'memory' } })
    const server = createServer(app.handler)
    const post = () => request(server).post('/api/v1/echo/a').send(postEcho)
    for (let count = 0; count < 4; count++) await post().expect(201)
    const { body, headers } = await post().expect(429)
    expect(body.code).toBe('limit.reached')
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    await request(server).get('/api/v1/echo-user').expect(401)
    await app.close()
    ready = ready.slice(0, 1)
  })
})

describe('a plugin stops the start', () => {
  const good = { method: 'GET', path: '/good', summary: 'x', access: 'anyone', handle: async () => {} } as const
  const start = async (...hooks: Hooks[]) => {
    const plugins = hooks.map((hook, index) => withHooks(`plugin-${index}`, hook))
    const app = await testApp(memory, { plugins })
    await app.close()
  }

  test.each([
    [{ path: '/secret/mine' }, 'Plugin "plugin-0" has the route /secret/mine, but /secret belongs to Mayfly.'],
    [{ path: '/admin' }, '/admin belongs to Mayfly'],
    [{ path: 'good' }, 'its path must be like /name/part/:parameter'],
    [{ path: '/Good' }, 'its path must be like'],
    [{ path: '/good/:id' }, 'params must have the parameters of the path'],
    [{ method: 'get' }, 'its method must be'],
    [{ access: 'root' }, 'its access must be one of anyone, user'],
    [{ access: undefined }, 'its access must be one of'],
    [{ handle: undefined }, 'it has no function handle'],
    [{ perMinute: 0 }, 'perMinute must be a whole number above 0'],
    [{ bodyLimit: Number.NaN }, 'bodyLimit must be a whole number above 0'],
  ])('with a route that has %j', async (differing, message) => {
    await expect(start({ routes: [{ ...good, ...differing } as unknown as PluginRoute] })).rejects.toThrow(message)
  })

  test('when two plugins have the same route', async () => {
    await start({ routes: [good] }, { routes: [{ ...good, method: 'PUT' }] })
    await expect(start({ routes: [good] }, { routes: [good] })).rejects.toThrow(
      'The plugins "plugin-0" and "plugin-1" both have the route GET /good.',
    )
  })

  test('when ready fails, and the other plugins are closed', async () => {
    let closed = 0
    const ready = () => Promise.reject(new Error('no answer from the queue'))
    await expect(start({ close: () => void closed++ }, { ready })).rejects.toThrow(
      'Plugin "plugin-1" did not start: no answer from the queue',
    )
    expect(closed).toBe(1)
  })
})
