/** Defines each metric and its updates. Labels have few, fixed values: input of callers is never a label. */
import { statfs } from 'node:fs/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Listeners, PluginApp, PluginContext } from '#core'
import manifest from '#package' with { type: 'json' }

/** In seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface Metrics {
  on: Listeners
  /** The metrics in the text format of Prometheus, with their content type. */
  read(): Promise<{ type: string; text: string }>
}

type Health = PluginApp['health']

/** `source`: data of the gauges; returns null until the instance has started. `dataDir`: may be missing. */
export function createMetrics(
  source: () => Health | null,
  { dataDir, role = 'all' }: Pick<PluginContext, 'dataDir' | 'role'>,
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const on = { ...defineRequestMetrics(registry), ...defineEventMetrics(registry) }
  const updateHealth = defineHealthMetrics(registry)
  const updateStorage = defineStorageMetrics(registry)
  const updateAuditSinks = defineAuditSinkMetrics(registry)
  const updateEventQueues = defineEventQueueMetrics(registry)
  const updateDisk = defineDiskMetrics(registry, dataDir)
  const updateBackup = defineBackupMetrics(registry)
  const { version } = manifest
  const info = createGauge(
    registry,
    'build_info',
    'Always 1; the labels describe the program.',
    'version',
    'role',
    'database',
  )
  info.set({ version, role }, 1)
  return {
    on,
    async read() {
      const health = source()
      if (health) {
        const database = health.driver()
        info.reset()
        info.set({ version, role, ...(database !== null && { database }) }, 1)
        updateAuditSinks(health)
        updateEventQueues(health)
        await Promise.all([updateHealth(health), updateStorage(health), updateDisk(), updateBackup(health)])
      }
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
  const refused = createCounter(registry, 'rate_limit_hits_total', 'Requests that a rate limit refused.', 'rule')
  return {
    'limit.reached': ({ rule }) => refused.inc({ rule }),
    'http.answered': ({ method, route, status, ms }) => {
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
  const codes = createCounter(registry, 'recipient_codes_total', 'Codes that named recipients requested.')
  const requests = createCounter(registry, 'secret_requests_created_total', 'Secret requests created.')
  const requestsClosed = createCounter(
    registry,
    'secret_requests_closed_total',
    'Secret requests closed by their creators.',
  )
  const submissions = createCounter(registry, 'submissions_total', 'Submissions to secret requests.')
  const signInsFailed = createCounter(registry, 'sign_ins_failed_total', 'Sign-ins that failed.', 'provider')
  const usersCreated = createCounter(registry, 'users_created_total', 'Accounts created.')
  const usersDeleted = createCounter(registry, 'users_deleted_total', 'Accounts deleted.')
  const cleanups = createCounter(
    registry,
    'cleanups_total',
    'Cleanups finished by this process; one process runs it at a time.',
  )
  const cleanupSeconds = createCounter(
    registry,
    'cleanup_seconds_total',
    'Total duration of the cleanups of this process.',
  )
  const lastCleanup = createGauge(
    registry,
    'last_cleanup_timestamp_seconds',
    'Time when the last cleanup of this process finished; 0: none yet.',
  )
  return {
    'secret.created': (event) => {
      created.inc({ kind: event.kind })
      files.inc(event.files)
    },
    'secret.viewed': () => viewed.inc(),
    'secret.burned': ({ reason }) => burned.inc({ reason }),
    'secret.expired': () => burned.inc({ reason: 'expired' }),
    'secret.code_requested': () => codes.inc(),
    'request.created': () => requests.inc(),
    'request.closed': () => requestsClosed.inc(),
    'request.submitted': () => submissions.inc(),
    'session.refused': ({ provider }) => signInsFailed.inc({ provider }),
    'user.created': () => usersCreated.inc(),
    'user.deleted': () => usersDeleted.inc(),
    'cleanup.finished': ({ ms }) => {
      cleanups.inc()
      cleanupSeconds.inc(ms / 1000)
      lastCleanup.setToCurrentTime()
    },
  }
}

/** Returns a function that updates the gauges from the health service. */
function defineHealthMetrics(registry: Registry): (health: Health) => Promise<void> {
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

/**
 * Returns a function that updates the gauges of stored secrets and files. They keep their values while the storage does
 * not respond.
 */
function defineStorageMetrics(registry: Registry): (health: Health) => Promise<void> {
  const bytes = createGauge(registry, 'attachment_bytes', 'Bytes of all files and uploads.')
  const limit = createGauge(registry, 'attachment_bytes_limit', 'Maximum of mayfly_attachment_bytes; 0: no limit.')
  const live = createGauge(registry, 'secrets_live', 'Secrets that can be viewed, counted up to 10,000.')
  return async (health) => {
    const [usage, secrets] = await Promise.all([
      health.storageUsage().catch(() => null),
      health.liveSecrets().catch(() => null),
    ])
    if (secrets !== null) live.set(secrets)
    if (!usage) return
    bytes.set(usage.usedBytes)
    limit.set(usage.limitBytes ?? 0)
  }
}

/**
 * Returns a function that updates the free space of the data folder. The metric has no value while the folder is
 * missing.
 */
function defineDiskMetrics(registry: Registry, dataDir: string): () => Promise<void> {
  const free = createGauge(registry, 'disk_free_bytes', 'Free bytes of the disk of the data folder.', 'folder')
  return async () => {
    const found = await statfs(dataDir).catch(() => null)
    if (found) free.set({ folder: 'data' }, found.bavail * found.bsize)
    else free.reset()
  }
}

/**
 * Returns a function that updates the time of the last backup. It keeps its value while the storage does not respond.
 */
function defineBackupMetrics(registry: Registry): (health: Health) => Promise<void> {
  const last = createGauge(registry, 'last_backup_timestamp_seconds', 'Time of the last `mayfly backup`; 0: none yet.')
  return async (health) => {
    const at = await health.lastBackup().catch(() => undefined)
    if (at !== undefined) last.set((at ?? 0) / 1000)
  }
}

/** Returns a function that updates the metrics of the audit sinks. */
function defineAuditSinkMetrics(registry: Registry): (health: Health) => void {
  const waiting = createGauge(registry, 'audit_sink_waiting', 'Audit entries that wait for a sink.', 'sink')
  const dropped = createCounter(registry, 'audit_sink_dropped_total', 'Audit entries that a sink has lost.', 'sink')
  return (health) => {
    dropped.reset()
    for (const state of health.auditSinks()) {
      waiting.set({ sink: state.sink }, state.waiting)
      dropped.inc({ sink: state.sink }, state.dropped)
    }
  }
}

/** Returns a function that updates the metrics of the events that wait for subscribers. */
function defineEventQueueMetrics(registry: Registry): (health: Health) => void {
  const waiting = createGauge(
    registry,
    'events_waiting',
    'Events of the instance that wait for a subscriber.',
    'subscriber',
  )
  const dropped = createCounter(
    registry,
    'events_dropped_total',
    'Events that this process gave up because too many waited.',
    'subscriber',
  )
  return (health) => {
    dropped.reset()
    for (const queue of health.eventQueues()) {
      waiting.set({ subscriber: queue.subscriber }, queue.waiting)
      dropped.inc({ subscriber: queue.subscriber }, queue.dropped)
    }
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
