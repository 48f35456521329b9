/** Prometheus metrics on a separate port. They never contain ids, addresses or names. */
import { definePlugin, list, type PluginApp, secret, wholeNumber, z } from '#core'
import { createMetrics } from './metrics.js'
import { type MetricsServer, startMetricsServer } from './metrics-server.js'

export default definePlugin({
  contract: 1,
  name: 'metrics',
  options: z.object({
    host: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
    port: wholeNumber(0, 65535)
      .default(9464)
      .describe('port to listen on; 0: any free port; with several workers, each uses the next free port'),
    allowedHosts: list()
      .default([])
      .describe(
        'host names by which readers reach this port, such as mayfly; not needed for IP addresses and localhost',
      ),
    token: secret(
      z
        .string()
        .refine((text) => text === '' || text.length >= 16, 'must have at least 16 characters')
        .default('')
        .describe('bearer token that readers must send; empty: no authentication'),
    ),
  }),
  setup({ host, port, token, allowedHosts }, { log, dataDir, role }) {
    let health: PluginApp['health'] | null = null
    let server: MetricsServer | null = null
    const { on, read } = createMetrics(() => health, { dataDir, ...(role && { role }) })
    return {
      on,
      async ready(app) {
        health = app.health
        if (!app.isServer) return
        server = await startMetricsServer({ host, port, token, allowedHosts, read })
        log.info('metrics', { address: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}/metrics` })
      },
      close: async () => server?.close(),
    }
  },
})
