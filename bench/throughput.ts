/** Requests per second, latencies and CPU time per request of Mayfly on each storage, beside the control server. */
import type { StorageName } from '#test/databases'
import { type Child, startChild } from './child.js'
import { type Cores, findCores, pin } from './cores.js'
import { type Instance, startControl, startMayfly } from './instance.js'
import type { LoadJob, LoadResult } from './load.js'
import { REQUESTS, type RequestKind } from './requests.js'

export interface ThroughputPlan {
  storages: StorageName[]
  kinds: RequestKind[]
  connections: number[]
  /** Bytes of the texts before they are sealed. */
  sizes: number[]
  /** Measured time of each row. */
  seconds: number
  /** Level of the log of Mayfly. */
  log: string
}

export interface ThroughputRow extends LoadResult {
  server: 'control' | StorageName
  kind: RequestKind
  /** Null: the request has no secret. */
  size: number | null
  connections: number
  /** Live secrets in the database before. */
  rows: number
  /** CPU time per request as a multiple of the control's. Null: unknown. */
  ofControl: number | null
  /** CPU time of the server as a share of the elapsed time. Above 1 with threads on several cores. */
  busy: number | null
}

export type Generator = Child<LoadJob, LoadResult>

/** Shorter runs are trials: they warm up less. */
const TRIAL_SECONDS = 1
/** Requests until V8 has compiled a server. */
const WARM_UP_REQUESTS = 6000
/** Share of it for a server that was measured before, and for large texts, which take longer. */
const WARM_SHARE = 0.1
const LARGE_SHARE = 0.2
const LARGE_BYTES = 10_000

/** Starts a load generator, on its own core when there is one. */
export function startGenerator(cores: Cores | null): Generator {
  const generator = startChild<LoadJob, LoadResult>('load')
  if (cores) pin(generator.pid, cores.load)
  return generator
}

/** Calls `onRow` for each row, so that a long run shows its progress. */
export async function throughput(plan: ThroughputPlan, onRow: (row: ThroughputRow) => void): Promise<ThroughputRow[]> {
  const cores = findCores()
  const generator = startGenerator(cores)
  const rows: ThroughputRow[] = []
  const requests = plan.kinds.flatMap((kind) => sizesOf(plan, kind).map((size) => ({ kind, size })))
  // A trial measures all requests on the same servers.
  const groups = plan.seconds < TRIAL_SECONDS ? [requests] : requests.map((request) => [request])
  for (const group of groups) {
    const servers = await startServers(plan, cores)
    for (const request of group) {
      for await (const row of measureServers(plan, servers, generator, request)) {
        rows.push(row)
        onRow(row)
      }
    }
    await Promise.all([...servers.values()].map((server) => server.stop()))
  }
  generator.stop()
  return rows
}

/**
 * Measures creates and views on databases with `liveRows` live rows, next to empty ones. Returns rows like
 * `throughput`, without a control. The storage in memory is left out: only the server itself could fill it.
 */
export async function throughputWithRows(plan: ThroughputPlan, liveRows: number): Promise<ThroughputRow[]> {
  const cores = findCores()
  const generator = startGenerator(cores)
  const found: ThroughputRow[] = []
  const kinds = plan.kinds.filter((kind) => kind === 'create' || kind === 'view')
  for (const storage of plan.storages.filter((storage) => storage !== 'memory')) {
    const instances = new Map<number, Instance>()
    for (const rows of [0, liveRows])
      instances.set(rows, await startPinned(() => startMayfly(storage, { log: plan.log, rows }), cores))
    for (const kind of kinds)
      for (const connections of plan.connections)
        for (const [rows, instance] of instances) {
          const size = plan.sizes[0] as number
          const result = await generator.run(jobFor(plan, instance, { kind, size, connections }))
          found.push({ server: storage, kind, size, connections, rows, ofControl: null, ...withBusy(result) })
        }
    for (const instance of instances.values()) await instance.stop()
  }
  generator.stop()
  return found
}

const sizesOf = ({ sizes }: ThroughputPlan, kind: RequestKind): number[] =>
  REQUESTS[kind].hasSize ? sizes : sizes.slice(0, 1)

async function startServers(plan: ThroughputPlan, cores: Cores | null) {
  const servers = new Map<ThroughputRow['server'], Instance>()
  servers.set('control', await startPinned(startControl, cores))
  for (const storage of plan.storages)
    servers.set(storage, await startPinned(() => startMayfly(storage, { log: plan.log }), cores))
  return servers
}

async function startPinned(start: () => Promise<Instance>, cores: Cores | null): Promise<Instance> {
  const instance = await start()
  if (cores) pin(instance.pid, cores.server)
  return instance
}

/** Measures all servers at one number of connections, then at the next, so that other load slows all of them down. */
async function* measureServers(
  plan: ThroughputPlan,
  servers: Map<ThroughputRow['server'], Instance>,
  generator: Generator,
  { kind, size }: { kind: RequestKind; size: number },
): AsyncGenerator<ThroughputRow> {
  for (const connections of plan.connections) {
    let controlMicros: number | null = null
    for (const [server, instance] of servers) {
      const result = await generator.run(jobFor(plan, instance, { kind, size, connections }))
      if (server === 'control') controlMicros = result.cpuMicros
      const ofControl = result.cpuMicros !== null && controlMicros ? result.cpuMicros / controlMicros : null
      const ownSize = REQUESTS[kind].hasSize ? size : null
      yield { server, kind, size: ownSize, connections, rows: 0, ofControl, ...withBusy(result) }
    }
  }
}

function jobFor(
  { seconds, connections }: ThroughputPlan,
  { url, pid }: Instance,
  request: { kind: RequestKind; size: number; connections: number },
): LoadJob {
  const warmUp = warmUpFor(seconds, request.size, request.connections !== connections[0])
  return { ...request, url, pid, warmUp, amount: { seconds } }
}

/** Number of warm-up requests. `isWarm`: the server has answered the same requests before. */
export function warmUpFor(seconds: number, size: number, isWarm = false): number {
  const share =
    Math.min(1, seconds / TRIAL_SECONDS) * (isWarm ? WARM_SHARE : 1) * (size > LARGE_BYTES ? LARGE_SHARE : 1)
  return Math.ceil(WARM_UP_REQUESTS * share)
}

function withBusy(result: LoadResult): LoadResult & { busy: number | null } {
  const { cpuMicros, perSecond } = result
  return { ...result, busy: cpuMicros === null ? null : (cpuMicros * perSecond) / 1e6 }
}

/** For each pair, the rate with live rows as a share of the rate of the empty database. */
export function ratesOfEmpty(rows: ThroughputRow[]): number[] {
  return rows
    .filter(({ rows }) => rows > 0)
    .map((full) => {
      const isPair = (row: ThroughputRow) =>
        row.rows === 0 && row.server === full.server && row.kind === full.kind && row.connections === full.connections
      return full.perSecond / (rows.find(isPair)?.perSecond ?? Number.NaN)
    })
}
