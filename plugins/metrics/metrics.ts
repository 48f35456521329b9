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
  const define = createDefinitions(registry)
  const on = { ...defineRequestMetrics(define), ...defineEventMetrics(define) }
  const updateHealth = defineHealthMetrics(define)
  const updateStorage = defineStorageMetrics(define)
  const updateAuditSinks = defineAuditSinkMetrics(define)
  const updateEventQueues = defineEventQueueMetrics(define)
  const updateDisk = defineDiskMetrics(define, dataDir)
  const updateBackup = defineBackupMetrics(define)
  const { version } = manifest
  const info = define.gauge('build_info', 'Always 1; the labels describe the program.', 'version', 'role', 'database')
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

function defineRequestMetrics(define: Definitions): Listeners {
  const requests = define.counter('http_requests_total', 'HTTP requests.', 'method', 'route', 'status')
  const durations = define.histogram(
    'http_request_duration_seconds',
    'Time from the request to the start of its response.',
    'method',
    'route',
  )
  const refused = define.counter('rate_limit_hits_total', 'Requests that a rate limit refused.', 'rule')
  return {
    'limit.reached': ({ rule }) => refused.inc({ rule }),
    'http.answered': ({ method, route, status, ms }) => {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, ms / 1000)
    },
  }
}

function defineEventMetrics(define: Definitions): Listeners {
  const created = define.counter('secrets_created_total', 'Secrets created.', 'kind')
  const files = define.counter('files_attached_total', 'Files attached to created secrets.')
  const viewed = define.counter('secrets_viewed_total', 'Views of secrets.')
  const burned = define.counter('secrets_burned_total', 'Secrets burned, used up or expired.', 'reason')
  const codes = define.counter('recipient_codes_total', 'Codes that named recipients requested.')
  const requests = define.counter('secret_requests_created_total', 'Secret requests created.')
  const requestsClosed = define.counter('secret_requests_closed_total', 'Secret requests closed by their creators.')
  const submissions = define.counter('submissions_total', 'Submissions to secret requests.')
  const signInsFailed = define.counter('sign_ins_failed_total', 'Sign-ins that failed.', 'provider')
  const usersCreated = define.counter('users_created_total', 'Accounts created.')
  const usersDeleted = define.counter('users_deleted_total', 'Accounts deleted.')
  const cleanups = define.counter('cleanups_total', 'Cleanups finished by this process; one process runs it at a time.')
  const cleanupSeconds = define.counter('cleanup_seconds_total', 'Total duration of the cleanups of this process.')
  const lastCleanup = define.gauge(
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
function defineHealthMetrics(define: Definitions): (health: Health) => Promise<void> {
  const up = define.gauge('up', 'Whether a part responds: 1 or 0.', 'part')
  const connections = define.gauge('database_connections', 'Connections to the database.', 'state')
  const waiting = define.gauge('database_waiting', 'Calls that wait for a connection.')
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
function defineStorageMetrics(define: Definitions): (health: Health) => Promise<void> {
  const bytes = define.gauge('attachment_bytes', 'Bytes of all files and uploads.')
  const limit = define.gauge('attachment_bytes_limit', 'Maximum of mayfly_attachment_bytes; 0: no limit.')
  const live = define.gauge('secrets_live', 'Secrets that can be viewed, counted up to 10,000.')
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
function defineDiskMetrics(define: Definitions, dataDir: string): () => Promise<void> {
  const free = define.gauge('disk_free_bytes', 'Free bytes of the disk of the data folder.', 'folder')
  return async () => {
    const found = await statfs(dataDir).catch(() => null)
    if (found) free.set({ folder: 'data' }, found.bavail * found.bsize)
    else free.reset()
  }
}

/**
 * Returns a function that updates the time of the last backup. It keeps its value while the storage does not respond.
 */
function defineBackupMetrics(define: Definitions): (health: Health) => Promise<void> {
  const last = define.gauge('last_backup_timestamp_seconds', 'Time of the last `mayfly backup`; 0: none yet.')
  return async (health) => {
    const at = await health.lastBackup().catch(() => undefined)
    if (at !== undefined) last.set((at ?? 0) / 1000)
  }
}

/** Returns a function that updates the metrics of the audit sinks. */
function defineAuditSinkMetrics(define: Definitions): (health: Health) => void {
  const waiting = define.gauge('audit_sink_waiting', 'Audit entries that wait for a sink.', 'sink')
  const dropped = define.counter('audit_sink_dropped_total', 'Audit entries that a sink has lost.', 'sink')
  return (health) => {
    dropped.reset()
    for (const state of health.auditSinks()) {
      waiting.set({ sink: state.sink }, state.waiting)
      dropped.inc({ sink: state.sink }, state.dropped)
    }
  }
}

/** Returns a function that updates the metrics of the events that wait for subscribers. */
function defineEventQueueMetrics(define: Definitions): (health: Health) => void {
  const waiting = define.gauge('events_waiting', 'Events of the instance that wait for a subscriber.', 'subscriber')
  const dropped = define.counter(
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

type Definitions = ReturnType<typeof createDefinitions>

/** Defines metrics of the registry. */
const createDefinitions = (registry: Registry) => ({
  counter: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `mayfly_${name}`, help, labelNames, registers: [registry] }),
  gauge: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `mayfly_${name}`, help, labelNames, registers: [registry] }),
  histogram: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name: `mayfly_${name}`, help, labelNames, buckets: BUCKETS, registers: [registry] }),
})
