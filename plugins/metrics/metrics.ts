/** Each metric, and what moves it. Labels have few values, all of them ours: what a caller sends is never one. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { HealthService, Listeners } from '#core'

/** In seconds: from what a memory answers to what a busy disk takes. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface Metrics {
  on: Listeners
  /** The text that Prometheus reads, and its type. */
  read(): Promise<{ type: string; text: string }>
}

/** `health`: null until the instance has started. */
export function createMetrics(health: () => HealthService | null): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `mayfly_${name}`, help, labelNames, registers })
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `mayfly_${name}`, help, labelNames, registers })

  const requests = counter('http_requests_total', 'Requests answered.', 'method', 'route', 'status')
  const durations = new Histogram({
    name: 'mayfly_http_request_duration_seconds',
    help: 'From the request to the beginning of its answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  const created = counter('secrets_created_total', 'Secrets created.', 'kind')
  const files = counter('files_attached_total', 'Files of the secrets that were created.')
  const viewed = counter('secrets_viewed_total', 'Views given.')
  const burned = counter('secrets_burned_total', 'Secrets that ended.', 'reason')
  const usersCreated = counter('users_created_total', 'Accounts created.')
  const usersDeleted = counter('users_deleted_total', 'Accounts deleted.')
  const sweeps = counter('sweeps_total', 'Sweeps finished by this process; one process sweeps at a time.')
  const sweepSeconds = counter('sweep_seconds_total', 'How long its sweeps took.')
  const lastSweep = gauge('last_sweep_timestamp_seconds', 'When its last sweep finished; 0: it has not swept.')
  const up = gauge('up', 'Whether a part answers: 1, or 0.', 'part')
  const connections = gauge('database_connections', 'Connections to the database.', 'state')
  const waiting = gauge('database_waiting', 'Calls that wait for a connection.')

  async function look(): Promise<void> {
    const now = health()
    if (now === null) return
    for (const { name, isUp } of await now.parts()) up.set({ part: name }, Number(isUp))
    const pool = now.connections()
    if (pool === null) return
    connections.set({ state: 'busy' }, pool.busy)
    connections.set({ state: 'idle' }, pool.idle)
    waiting.set(pool.waiting)
  }

  return {
    on: {
      'request:answered': ({ method, route, status, ms }) => {
        requests.inc({ method, route, status })
        durations.observe({ method, route }, ms / 1000)
      },
      'secret:created': (event) => {
        created.inc({ kind: event.kind })
        files.inc(event.files)
      },
      'secret:viewed': () => viewed.inc(),
      'secret:burned': ({ reason }) => burned.inc({ reason }),
      'user:created': () => usersCreated.inc(),
      'user:deleted': () => usersDeleted.inc(),
      'sweep:finished': ({ ms }) => {
        sweeps.inc()
        sweepSeconds.inc(ms / 1000)
        lastSweep.setToCurrentTime()
      },
    },
    async read() {
      await look()
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
