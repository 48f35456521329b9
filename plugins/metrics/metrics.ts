/** Defines each metric and what updates it. Labels have few, fixed values: input of callers is never a label. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { HealthService, Listeners, StorageUsage } from '#core'
import manifest from '#package' with { type: 'json' }

/** In seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface Metrics {
  on: Listeners
  /** The metrics in the text format of Prometheus, with their content type. */
  read(): Promise<{ type: string; text: string }>
}

/** What the gauges read. */
export interface Sources {
  health: Pick<HealthService, 'parts' | 'connections'>
  attachments: { storageUsage(): Promise<StorageUsage> }
  stats: { read(): Promise<{ live: number }> }
}

/** `sources`: returns null until the instance has started. */
export function createMetrics(sources: () => Sources | null): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const on = { ...defineRequestMetrics(registry), ...defineEventMetrics(registry) }
  const updateHealth = defineHealthMetrics(registry)
  const updateStorage = defineStorageMetrics(registry)
  createGauge(registry, 'build_info', 'Always 1; the labels describe the program.', 'version').set(
    { version: manifest.version },
    1,
  )
  return {
    on,
    async read() {
      const current = sources()
      if (current) await Promise.all([updateHealth(current.health), updateStorage(current)])
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

function defineRequestMetrics(registry: Registry): Listeners {
  const requests = createCounter(registry, 'http_requests_total', 'HTTP requests.', 'method', 'route', 'status')
  const durations = new Histogram({
    name: 'mayfly_http_request_duration_seconds',
    help: 'Time from the request to the start of its response.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [registry],
  })
  return {
    'request:answered': ({ method, route, status, ms }) => {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, ms / 1000)
    },
  }
}

function defineEventMetrics(registry: Registry): Listeners {
  const created = createCounter(registry, 'secrets_created_total', 'Secrets created.', 'kind')
  const files = createCounter(registry, 'files_attached_total', 'Files attached to created secrets.')
  const viewed = createCounter(registry, 'secrets_viewed_total', 'Views of secrets.')
  const burned = createCounter(registry, 'secrets_burned_total', 'Secrets burned, used up or expired.', 'reason')
  const usersCreated = createCounter(registry, 'users_created_total', 'Accounts created.')
  const usersDeleted = createCounter(registry, 'users_deleted_total', 'Accounts deleted.')
  const sweeps = createCounter(
    registry,
    'sweeps_total',
    'Sweeps finished by this process; one process sweeps at a time.',
  )
  const sweepSeconds = createCounter(registry, 'sweep_seconds_total', 'Total duration of the sweeps of this process.')
  const lastSweep = createGauge(
    registry,
    'last_sweep_timestamp_seconds',
    'Time when the last sweep of this process finished; 0: none yet.',
  )
  return {
    'secret:created': (event) => {
      created.inc({ kind: event.kind })
      files.inc(event.files)
    },
    'secret:viewed': () => viewed.inc(),
    'secret:burned': ({ reason }) => burned.inc({ reason }),
    'user:created': () => usersCreated.inc(),
    'user:deleted': () => usersDeleted.inc(),
    'cleanup:finished': ({ ms }) => {
      sweeps.inc()
      sweepSeconds.inc(ms / 1000)
      lastSweep.setToCurrentTime()
    },
  }
}

/** Returns a function that updates the gauges from the health service. */
function defineHealthMetrics(registry: Registry): (health: Sources['health']) => Promise<void> {
  const up = createGauge(registry, 'up', 'Whether a part responds: 1 or 0.', 'part')
  const connections = createGauge(registry, 'database_connections', 'Connections to the database.', 'state')
  const waiting = createGauge(registry, 'database_waiting', 'Calls that wait for a connection.')
  return async (health) => {
    for (const { name, isUp } of await health.parts()) up.set({ part: name }, Number(isUp))
    const pool = health.connections()
    if (pool === null) return
    connections.set({ state: 'busy' }, pool.busy)
    connections.set({ state: 'idle' }, pool.idle)
    waiting.set(pool.waiting)
  }
}

/** Returns a function that updates the gauges of stored secrets and files. They keep their values while the storage does not respond. */
function defineStorageMetrics(registry: Registry): (sources: Sources) => Promise<void> {
  const bytes = createGauge(registry, 'attachment_bytes', 'Bytes of all files and uploads.')
  const limit = createGauge(registry, 'attachment_bytes_limit', 'Maximum of mayfly_attachment_bytes; 0: no limit.')
  const live = createGauge(registry, 'secrets_live', 'Secrets that can be viewed, counted up to 10,000.')
  return async ({ attachments, stats }) => {
    const [usage, counts] = await Promise.all([
      attachments.storageUsage().catch(() => null),
      stats.read().catch(() => null),
    ])
    if (counts) live.set(counts.live)
    if (!usage) return
    bytes.set(usage.usedBytes)
    limit.set(usage.limitBytes ?? 0)
  }
}

const createCounter = <Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  ...labelNames: Label[]
) => new Counter({ name: `mayfly_${name}`, help, labelNames, registers: [registry] })

const createGauge = <Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  ...labelNames: Label[]
) => new Gauge({ name: `mayfly_${name}`, help, labelNames, registers: [registry] })
