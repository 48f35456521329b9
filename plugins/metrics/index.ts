/** What Prometheus reads: counts of what happens, on a port of their own. Never an id, an address or a name. */
import { definePlugin, type HealthService, secret, wholeNumber, z } from '#core'
import { createMetrics } from './metrics.js'
import { serveMetrics } from './serve.js'

export default definePlugin({
  name: 'metrics',
  options: z.object({
    host: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
    port: wholeNumber(0, 65535)
      .default(9464)
      .describe('port to listen on; 0: any that is free; with workers, each takes the next one'),
    token: secret(
      z
        .string()
        .refine((text) => text === '' || text.length >= 16, 'must have at least 16 characters')
        .default('')
        .describe('what a reader sends as Authorization: Bearer; empty: whoever reaches the port may read'),
    ),
  }),
  async setup({ host, port, token }, { log }) {
    let health: HealthService | null = null
    const { on, read } = createMetrics(() => health)
    const server = await serveMetrics({ host, port, token, read })
    log.info('metrics', { address: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}/metrics` })
    return {
      on,
      routes: (_router, services) => {
        health = services.health
      },
      close: () => server.close(),
    }
  },
})
