import { expect, test } from 'vitest'
import { z } from 'zod'
import { onMemory } from '#test/for-each-storage'
import { definePlugin } from '../plugins/plugin.js'

let calls = 0
const plugin = definePlugin({
  name: 'ping',
  options: z.object({}),
  setup: () => ({
    routes(router) {
      calls += 1
      router.get('/ping', (ctx) => {
        ctx.body = { userId: ctx.state.caller.userId }
      })
    },
  }),
})

onMemory(
  ({ call }) => {
    test('the routes hook of a plugin is called once', () => {
      expect(calls).toBe(1)
    })

    test.each(['/api/v1/ping', '/api/ping'])('GET %s reaches the route of a plugin', async (path) => {
      const { body } = await call('GET', path).expect(200)
      expect(body).toEqual({ userId: null })
    })
  },
  { shared: true, app: { plugins: [plugin] } },
)
