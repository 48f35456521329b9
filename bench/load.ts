/**
 * The load generator: sends requests over keep-alive connections, and measures rates, latencies and CPU time of the
 * server.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseCpuTimeMs, familyCpuTimeMs } from './cpu-time.js'
import { type Connection, openConnection } from './http-client.js'
import {
  prepareRequests,
  REQUESTS,
  type RequestKind,
  type RequestSource,
  type SealedBody,
  sealBodies,
} from './requests.js'
import { percentile } from './statistics.js'

export interface LoadJob {
  kind: RequestKind
  url: string
  /** Process of the server at `url`. */
  pid: number
  /** Where the secrets of views are created. Default: `url`. */
  createUrl?: string
  /** Bytes of the text before it is sealed. */
  size: number
  connections: number
  /** Requests that are sent before, and not measured. */
  warmUp: number
  /** How much is measured: a duration, or a number of requests. */
  amount: { seconds: number } | { requests: number }
  /** Signals the server to profile exactly the measured requests: see preload.ts. */
  profile?: boolean
  withLatencies?: boolean
}

export interface LoadResult {
  requests: number
  seconds: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU time of the server and its workers per request, in µs. Null where there is no /proc. */
  cpuMicros: number | null
  /** CPU time of all database servers of the machine per request, in µs. */
  databaseMicros: number | null
  /** Of each request, in ms. Only of jobs `withLatencies`. */
  latencies?: number[]
}

/** Limits the bodies of one measurement, because the control keeps them in memory. */
const MAX_BYTES = 150e6
const MAX_REQUESTS = 500_000
/** Requests for each connection from which the rate is estimated. */
const PROBE_REQUESTS = 10
const PROBE_MIN = 50
/** From a signal to a running profiler, in ms. */
const PROFILER_START_MS = 200

const sealed = new Map<number, SealedBody[]>()

export async function load(job: LoadJob): Promise<LoadResult> {
  const bodies = sealed.get(job.size) ?? (await sealBodies(job.size))
  sealed.set(job.size, bodies)
  const source = { kind: job.kind, url: job.url, bodies, createUrl: job.createUrl ?? job.url }
  const connections = Array.from({ length: job.connections }, () => openConnection(job.url))
  const warmUp = job.warmUp > 0 ? await drive(connections, source, job.warmUp) : null
  const count =
    'requests' in job.amount
      ? job.amount.requests
      : await countFor(job, job.amount.seconds, source, { connections, warmUp })
  const result = await measure(job, source, connections, count)
  for (const connection of connections) connection.close()
  return result
}

/**
 * Number of requests that take about this many seconds. Uses the higher of two rates, because only load can lower one.
 */
async function countFor(
  job: LoadJob,
  seconds: number,
  source: RequestSource,
  { connections, warmUp }: { connections: Connection[]; warmUp: Drive | null },
): Promise<number> {
  const probe = await drive(connections, source, Math.max(PROBE_MIN, PROBE_REQUESTS * connections.length))
  const rate = Math.max(rateOf(probe), warmUp ? rateOf(warmUp) : 0)
  const bytes = REQUESTS[job.kind].hasSize ? (source.bodies[0]?.bytes ?? 1) : 1
  const wanted = Math.ceil(rate * seconds)
  return Math.max(connections.length, Math.min(wanted, MAX_REQUESTS, Math.ceil(MAX_BYTES / bytes)))
}

const rateOf = ({ latencies, seconds }: Drive) => latencies.length / seconds

async function measure(
  job: LoadJob,
  source: RequestSource,
  connections: Connection[],
  count: number,
): Promise<LoadResult> {
  const next = await prepareRequests(source, count)
  if (job.profile) {
    process.kill(job.pid, 'SIGUSR2')
    await sleep(PROFILER_START_MS)
  }
  const before = { server: familyCpuTimeMs(job.pid), database: databaseCpuTimeMs() }
  const { latencies, seconds } = await sendAll(connections, source, next, count)
  const after = { server: familyCpuTimeMs(job.pid), database: databaseCpuTimeMs() }
  if (job.profile) process.kill(job.pid, 'SIGUSR2')
  const perRequest = (end: number | null, start: number | null) =>
    end === null || start === null ? null : ((end - start) * 1000) / count
  return {
    requests: count,
    seconds,
    perSecond: count / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMicros: perRequest(after.server, before.server),
    databaseMicros: perRequest(after.database, before.database),
    ...(job.withLatencies && { latencies }),
  }
}

interface Drive {
  /** In ms. */
  latencies: number[]
  seconds: number
}

const drive = async (connections: Connection[], source: RequestSource, count: number): Promise<Drive> =>
  sendAll(connections, source, await prepareRequests(source, count), count)

/** Each connection sends its next request after the response to the last one. Throws on an unexpected status. */
async function sendAll(
  connections: Connection[],
  { kind }: RequestSource,
  next: () => string,
  count: number,
): Promise<Drive> {
  const latencies: number[] = []
  const expected = REQUESTS[kind].status
  let left = count
  const lane = async (connection: Connection) => {
    while (left > 0) {
      left--
      const request = next()
      const sent = performance.now()
      const { status, body } = await connection.send(request)
      latencies.push(performance.now() - sent)
      if (status !== expected) throw new Error(`${kind} returned ${status}: ${body.slice(0, 300)}`)
    }
  }
  const started = performance.now()
  await Promise.all(connections.map(lane))
  return { latencies, seconds: (performance.now() - started) / 1000 }
}
