/**
 * Durable events under load: four processes on one database. Compares creates and views without the webhook plugin with those with
 * it, and with those with three subscribers of which one is down; then checks that every event reaches three subscribers in
 * order, of which one is down at first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineName } from '#test/databases'
import { checkArrivals, countDistinct, type EventReceiver, startEventReceiver, webhookEnv } from '#test/event-receiver'
import { type Instance, startMayfly } from './instance.js'
import type { LoadResult } from './load.js'
import { type Estimate, estimateMedian, median, percentile } from './statistics.js'
import { type Generator, startGenerator } from './throughput.js'

const PROCESSES = 4
const TARGETS = 3
/** Of a secret with one view. */
const TYPES = ['secret.created', 'secret.viewed', 'secret.burned']
const KINDS = ['create', 'view'] as const
interface Layout {
  /** Rounds as a multiple of `EventPlan.rounds`. Without subscribers the limit is 3 instead of 15 %, so the intervals have to be narrower. */
  roundFactor: number
  /** Windows of each instance in a round. */
  pairs: number
  /** Measured time of a window as a share of `EventPlan.seconds`. */
  windowShare: number
  /** Requests before each window, as a share of those of the window. */
  warmUpShare: number
}
/**
 * `loaded`: with the webhook plugin, but without a matching event. Short windows of both instances in turns, because the speed of a
 * machine changes within a second. `subscribed`: with three targets, one of them down. Few windows, because the deliveries of
 * each have to end before the next one, and a warm-up before each, because processes that were idle are slower at first.
 */
export const VARIANTS = {
  loaded: { roundFactor: 4, pairs: 10, windowShare: 0.2, warmUpShare: 0 },
  subscribed: { roundFactor: 1, pairs: 2, windowShare: 1, warmUpShare: 1 },
} satisfies Record<string, Layout>
type Variant = keyof typeof VARIANTS
const SIZE = 256
/** Requests to each instance before the first round, for each second of `EventPlan`: until V8 has compiled four processes. */
const WARM_UP = 3000
/**
 * A receiver without a request for this time has received everything. Events wait for two seconds after a busy one at most, and
 * processes look for events once a second.
 */
const QUIET_MS = 4000
/** Longest wait for the deliveries of one measurement. */
const DRAIN_MS = 5 * 60_000
/** Longest wait for the last event after all receivers are up: the retry after 10 minutes, and a margin. */
const DELIVERY_MS = 15 * 60_000

export interface EventPlan {
  engine: EngineName
  /** Events that are delivered to each target. */
  events: number
  /** How long one target is down from the start. */
  downSeconds: number
  /** Rounds of each request with subscribers; `VARIANTS` has the factor for those without, and the pairs of windows of a round. */
  rounds: number
  /** Measured time of the longest windows. */
  seconds: number
  connections: number
}

export interface EventRate {
  kind: (typeof KINDS)[number]
  variant: Variant
  /** Medians of the rounds. */
  perSecond: number
  p99Ms: number
  /** CPU time of the four processes per request. Null where there is no /proc. */
  cpuMicros: number | null
  /** Shares of the control, an instance without the webhook plugin, in the same round. */
  rateOfControl: Estimate
  p99OfControl: Estimate
  cpuOfControl: Estimate | null
  /** CPU time of the database server. Null on SQLite, whose work is that of the processes. */
  databaseOfControl: Estimate | null
}

export interface EventDelivery {
  /** Of each target. */
  events: number
  /** From the first create to the last arrival at the targets that were always up, and from the end of the outage to that at the third. */
  upSeconds: number
  downSeconds: number
  /** Arrivals of events that had arrived before, at all targets. */
  repeated: number
  /** Secrets with lost, doubled or overtaken events. */
  problems: string[]
}

export interface EventResult extends EventPlan {
  rates: EventRate[]
  delivery: EventDelivery
}

export async function measureEvents(plan: EventPlan): Promise<EventResult> {
  const generator = startGenerator(null)
  try {
    const rates = await measureRates(plan, generator)
    return { ...plan, rates, delivery: await measureDelivery(plan, generator) }
  } finally {
    generator.stop()
  }
}

const startReceivers = (): Promise<EventReceiver[]> =>
  Promise.all(Array.from({ length: TARGETS }, () => startEventReceiver()))

const startProcesses = (engine: EngineName, env: Record<string, string> = {}): Promise<Instance> =>
  // No limit of waiting events: dropped ones would cost less.
  startMayfly(engine, { env: { MAYFLY_WORKERS: String(PROCESSES), MAYFLY_MAX_WAITING_EVENTS: '10000000', ...env } })

async function measureRates(plan: EventPlan, generator: Generator): Promise<EventRate[]> {
  const receivers = await startReceivers()
  receivers.at(-1)?.setDown(true)
  const rates: EventRate[] = []
  for (const variant of Object.keys(VARIANTS) as Variant[]) {
    const control = await startProcesses(plan.engine)
    const types = variant === 'loaded' ? ['user.deleted'] : []
    const varied = await startProcesses(plan.engine, webhookEnv(receivers, types))
    for (const kind of KINDS) {
      const comparison = { kind, variant, control, varied, receivers }
      const requests = await warmUp(plan, generator, comparison)
      const rounds: Round[] = []
      while (rounds.length < plan.rounds * VARIANTS[variant].roundFactor)
        rounds.push(await measureRound(plan, generator, comparison, requests))
      rates.push(summarize(plan, rounds, comparison))
    }
    await Promise.all([control.stop(), varied.stop()])
  }
  await Promise.all(receivers.map((receiver) => receiver.close()))
  return rates
}

interface Comparison {
  kind: EventRate['kind']
  variant: Variant
  control: Instance
  varied: Instance
  receivers: EventReceiver[]
}

const INSTANCES = ['control', 'varied'] as const
type Round = Record<(typeof INSTANCES)[number], Figures>
type Figures = Pick<LoadResult, 'perSecond' | 'p99Ms' | 'cpuMicros' | 'databaseMicros'>

/** Returns how many requests a window has: as many as the control answers in its time. */
async function warmUp(plan: EventPlan, generator: Generator, comparison: Comparison): Promise<number> {
  const { kind, variant, control, varied, receivers } = comparison
  const seconds = plan.seconds * VARIANTS[variant].windowShare
  const job = { kind, size: SIZE, connections: plan.connections, warmUp: Math.ceil(WARM_UP * plan.seconds) }
  const run = ({ url, pid }: Instance) => generator.run({ ...job, url, pid, amount: { seconds } })
  await run(varied)
  const { perSecond } = await run(control)
  if (variant === 'subscribed') await waitUntilQuiet(receivers)
  return Math.ceil(perSecond * seconds)
}

/**
 * Windows in the order control, variant, variant, control, and so on: what changes steadily on the machine, such as the size of
 * the tables, is the same for both.
 */
async function measureRound(
  { connections }: EventPlan,
  generator: Generator,
  { kind, variant, receivers, ...instances }: Comparison,
  requests: number,
): Promise<Round> {
  const windows: Record<keyof Round, LoadResult[]> = { control: [], varied: [] }
  const { pairs, warmUpShare } = VARIANTS[variant]
  const job = { kind, size: SIZE, connections, warmUp: Math.ceil(requests * warmUpShare), amount: { requests } }
  for (let pair = 0; pair < pairs; pair++)
    for (const which of pair % 2 === 0 ? INSTANCES : INSTANCES.toReversed()) {
      const { url, pid } = instances[which]
      windows[which].push(await generator.run({ ...job, url, pid, withLatencies: true }))
      if (which === 'varied' && variant === 'subscribed') await waitUntilQuiet(receivers)
    }
  const round = { control: combine(windows.control), varied: combine(windows.varied) }
  process.stderr.write(`${kind} ${variant}: ${describe(round.control)}; ${describe(round.varied)}\n`)
  return round
}

const describe = ({ perSecond, p99Ms, cpuMicros }: Figures) =>
  `${perSecond.toFixed(0)} per second, p99 ${p99Ms.toFixed(1)} ms, ${cpuMicros?.toFixed(0) ?? '?'} µs of CPU`

/** The figures of windows with the same number of requests, as if they were one. */
function combine(windows: LoadResult[]): Figures {
  const mean = (values: (number | null)[]) =>
    values.reduce<number | null>(
      (sum, value) => (sum === null || value === null ? null : sum + value / values.length),
      0,
    )
  return {
    perSecond: 1 / Number(mean(windows.map(({ perSecond }) => 1 / perSecond))),
    p99Ms: percentile(
      windows.flatMap(({ latencies = [] }) => latencies),
      0.99,
    ),
    cpuMicros: mean(windows.map(({ cpuMicros }) => cpuMicros)),
    databaseMicros: mean(windows.map(({ databaseMicros }) => databaseMicros)),
  }
}

function summarize({ engine }: EventPlan, rounds: Round[], { kind, variant }: Comparison): EventRate {
  const share = (name: keyof Figures) =>
    estimateMedian(rounds.map(({ control, varied }) => Number(varied[name]) / Number(control[name])))
  const middle = (name: keyof Figures) => median(rounds.map(({ varied }) => Number(varied[name])))
  const hasCpuTimes = rounds.every(({ control }) => control.cpuMicros !== null)
  return {
    ...{ kind, variant },
    perSecond: middle('perSecond'),
    p99Ms: middle('p99Ms'),
    cpuMicros: hasCpuTimes ? middle('cpuMicros') : null,
    rateOfControl: share('perSecond'),
    p99OfControl: share('p99Ms'),
    cpuOfControl: hasCpuTimes ? share('cpuMicros') : null,
    databaseOfControl: hasCpuTimes && engine !== 'sqlite' ? share('databaseMicros') : null,
  }
}

/** Waits for the deliveries that one measurement leaves, which would slow down the next one. */
async function waitUntilQuiet(receivers: EventReceiver[]): Promise<void> {
  const count = () => receivers.reduce((sum, { arrivals }) => sum + arrivals.length, 0)
  const end = performance.now() + DRAIN_MS
  for (let before = -1; before !== count() && performance.now() < end; await sleep(QUIET_MS)) before = count()
  // Nothing of it is needed again.
  for (const { arrivals } of receivers) arrivals.splice(0)
}

async function measureDelivery(plan: EventPlan, generator: Generator): Promise<EventDelivery> {
  const receivers = await startReceivers()
  const [down, ...up] = receivers as [EventReceiver, ...EventReceiver[]]
  down.setDown(true)
  const instance = await startProcesses(plan.engine, webhookEnv(receivers))
  const secrets = Math.ceil(plan.events / TYPES.length)
  const events = secrets * TYPES.length
  const startedAt = performance.now()
  const outage = sleep(plan.downSeconds * 1000).then(() => down.setDown(false))
  const job = { kind: 'view' as const, url: instance.url, pid: instance.pid, warmUp: 0, size: SIZE }
  await generator.run({ ...job, connections: plan.connections, amount: { requests: secrets } })
  const upSeconds = (await waitForEvents(up, events)) - startedAt / 1000
  await outage
  const upAgain = startedAt / 1000 + plan.downSeconds
  const downSeconds = (await waitForEvents([down], events)) - upAgain
  // A repeated event may still be on its way.
  await sleep(QUIET_MS)
  await Promise.all([instance.stop(), ...receivers.map((receiver) => receiver.close())])
  const checks = receivers.map(({ arrivals }) => checkArrivals(arrivals, secrets, TYPES))
  return {
    ...{ events, upSeconds, downSeconds },
    repeated: checks.reduce((sum, { repeated }) => sum + repeated, 0),
    problems: checks.flatMap(({ problems }) => problems),
  }
}

/** Returns the time in seconds when each receiver has so many events, or when the wait is over. */
async function waitForEvents(receivers: EventReceiver[], events: number): Promise<number> {
  const end = performance.now() + DELIVERY_MS
  const isComplete = () =>
    receivers.every(({ arrivals }) => arrivals.length >= events && countDistinct(arrivals) >= events)
  while (!isComplete() && performance.now() < end) await sleep(100)
  return performance.now() / 1000
}
