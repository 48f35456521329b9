/** A process with the role `open` has exactly the routes for recipients and submitters, with any credentials. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { OWN_PAGE, onMemory } from '#test/for-each-storage'
import { definePlugin, type Plugin } from '../plugins/plugin.js'
import { route } from '../plugins/plugin-route.js'
import { routes } from './routes/index.js'
import type { RouteConfig } from './routes/route.js'

/** Written by hand, not from the route table. */
const OPEN = [
  'GET /secret/:id/exist',
  'GET /secret/:id',
  'POST /secret/:id',
  'POST /secret/:id/ack',
  'POST /secret/:id/code',
  'POST /secret/:id/burn',
  'POST /request/:id/open',
  'POST /request/:id/submission',
  'POST /request/:id/collect',
  'DELETE /request/:id',
  'POST /files',
  'PUT /files/:id/:index',
  'GET /files/:id',
  'DELETE /files/:id',
  'POST /download',
  'GET /settings',
  'GET /healthz',
  'GET /readyz',
]

const all = routes({ statsFor: 'anyone' } as RouteConfig)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const addressOf = (path: string) => path.replace(/:\w+/g, 'A'.repeat(22))
const JSON_TYPE = { 'content-type': 'application/json' }

const whoami = (path: string, role?: 'open') =>
  route({
    method: 'GET',
    path,
    summary: 'Tell the caller',
    access: 'anyone',
    ...(role && { role }),
    response: z.object({ userId: z.string().nullable() }),
    handle: async ({ caller: { userId } }) => ({ userId }),
  })
const plugin = definePlugin({
  contract: 1,
  name: 'whoami',
  options: z.object({}),
  setup: () => ({ routes: [whoami('/who-all'), whoami('/who-open', 'open')] }),
}) as Plugin

onMemory(
  (site) => {
    /** Headers of a visitor, or of an administrator with a session or an API token. */
    async function credentialsOf(caller: 'visitor' | 'session' | 'token'): Promise<Record<string, string>> {
      if (caller === 'visitor') return {}
      const admin = await site.app.signUp({ role: 'admin' })
      return caller === 'session' ? site.app.as(admin) : { authorization: `Bearer ${await site.app.tokenOf(admin)}` }
    }

    const cases = (['all', 'open'] as const).flatMap((role) =>
      (['visitor', 'session', 'token'] as const).map((caller) => ({ role, caller })),
    )
    test.each(cases)(
      'SEC-10: the role $role has exactly its routes for a caller: $caller',
      async ({ role, caller }) => {
        await site.restart({ settings: { role } })
        const headers = { ...OWN_PAGE, ...(await credentialsOf(caller)) }
        const offered: string[] = []
        for (const each of all) {
          // A body that no route accepts, so that nothing changes.
          const body = each.body || each.requestType ? { unknown: true } : undefined
          const response = await site.call(each.method, addressOf(each.path), headers, body)
          expect(response.status).toBeLessThan(500)
          if (response.body?.code === 'request.wrong_role') expect(response.status).toBe(404)
          else offered.push(nameOf(each))
        }
        expect(offered.sort()).toEqual((role === 'all' ? all.map(nameOf) : [...OPEN]).sort())
      },
    )

    test('with the role open, credentials of an account are ignored, also invalid ones', async () => {
      await site.restart({ settings: { role: 'all' } })
      const user = await site.app.signUp({ role: 'admin' })
      const own = await site.app.as(user)
      const { body } = await site.call('POST', '/secret', { ...OWN_PAGE, ...own }, { text: 'x', ttl: 600 }).expect(201)
      await site.restart({ settings: { role: 'open' }, plugins: [plugin] })
      const token = { authorization: `Bearer mf_${'x'.repeat(22)}_${'y'.repeat(43)}` }
      expect((await site.call('GET', '/who-open', own).expect(200)).body).toEqual({ userId: null })
      expect((await site.call('GET', '/who-open', token).expect(200)).body).toEqual({ userId: null })
      expect((await site.call('GET', '/who-all', own).expect(404)).body.code).toBe('request.wrong_role')
      const [lookup] = body.id.split('~')
      // An administrator may burn every secret, a holder of a link only its secret.
      await site.call('POST', `/secret/${lookup}/burn`, { ...OWN_PAGE, ...own }, {}).expect(404)
      await site.call('POST', `/secret/${body.id}/burn`, {}, {}).expect(200)
    })

    test('with the role open, files are uploaded for submissions to requests only', async () => {
      await site.restart({ settings: { role: 'open' } })
      const file = { size: 100, parts: 1 }
      const { body } = await site.call('POST', '/files', JSON_TYPE, file).expect(404)
      expect(body.code).toBe('request.wrong_role')
      const proof = randomBytes(32).toString('base64url')
      const headers = { authorization: `Request ${'A'.repeat(22)}.${proof}` }
      const forRequest = await site.call('POST', '/files', headers, file).expect(404)
      expect(forRequest.body.code).toBe('secret_request.not_found')
    })

    test('with the role open, the settings and the API document contain only offered features', async () => {
      await site.restart({ settings: { role: 'open' }, plugins: [plugin] })
      const { body: settings } = await site.call('GET', '/settings').expect(200)
      expect(settings).toMatchObject({ role: 'open', canCreate: false, requests: false, signUp: false, providers: [] })
      const { body: document } = await site.call('GET', '/openapi.json').expect(200)
      const listed = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
      )
      expect(listed.sort()).toEqual([...OPEN, 'GET /who-open'].sort())
    })
  },
  { shared: true },
)
