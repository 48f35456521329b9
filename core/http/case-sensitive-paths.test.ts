import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { OWN_PAGE, onMemory } from '#test/for-each-storage'

const SECRET = { text: 'hunter2', ttl: 600 }
const ALICE = { username: 'alice', email: 'alice@example.org', password: 'amber river seven lanterns' }

onMemory(
  (site) => {
    const post = (path: string, headers: Record<string, string>, body: object) =>
      request(`http://127.0.0.1:${site.port}`).post(path).set(headers).send(body)

    describe.each(['/API/v1', '/Api', '/aPI', '/api/V1'])('%s', (prefix) => {
      test('SEC-11: POST /secret returns 404', async () => {
        await post(`${prefix}/secret`, OWN_PAGE, SECRET).expect(404)
      })

      test('POST /secret with an invalid token returns 404 and creates no secret', async () => {
        site.app.emitted.length = 0
        await post(`${prefix}/secret`, { Authorization: 'Bearer nonsense' }, SECRET).expect(404)
        expect(site.app.emitted.filter(([name]) => name === 'secret.created')).toEqual([])
      })

      test('POST /authentication/signup returns 404 and creates no account', async () => {
        await post(`${prefix}/authentication/signup`, OWN_PAGE, ALICE).expect(404)
        expect(await site.app.storage.users.find('alice')).toBe(null)
      })
    })

    test.each(['/api/v1/SETTINGS', '/api/Settings', '/api/v1/authentication/VERIFY'])(
      'GET %s returns request.not_found',
      async (path) => {
        const { body } = await request(`http://127.0.0.1:${site.port}`).get(path).expect(404)
        expect(body.code).toBe('request.not_found')
      },
    )

    test('GET /HEALTHZ returns 404', async () => {
      await request(`http://127.0.0.1:${site.port}`).get('/HEALTHZ').expect(404)
    })
  },
  { shared: true },
)
