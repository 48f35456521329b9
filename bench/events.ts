/**
 * Durable events under load: four processes on one database. Compares creates and views without the webhook plugin, with it, and
 * with three subscribers of which one is down; then checks that every event reaches three subscribers in order, of which
 * one is down at first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineName } from '#test/databases'
import { checkArrivals, countDistinct, type EventReceiver, startEventReceiver, webhookEnv } from '#test/event-receiver'
import { type Instance, startMayfly } from './instance.js'
import type { LoadResult } from './load.js'
import { median } from './statistics.js'
import { type Generator, startGenerator } from './throughput.js'

const PROCESSES = 4
const TARGETS = 3
/** Of a secret with one view. */
const TYPES = ['secret.created', 'secret.viewed', 'secret.burned']
const KINDS = ['create', 'view'] as const
const SIZE = 256
/** Requests before the first round, for each second that is measured. */
const WARM_UP = 500
/** A receiver without a request for this time has received everything. Processes look for events once a second. */
const QUIET_MS = 2500
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
  rounds: number
  /** Measured time of each request and variant in a round. */
  seconds: number
  connections: number
}

/** `control`: without the webhook plugin. `loaded`: with it, but without a matching event. `subscribed`: with three targets, one of them down. */
type Variant = 'control' | 'loaded' | 'subscribed'

export interface EventRate {
  kind: (typeof KINDS)[number]
  variant: Variant
  perSecond: number
  p99Ms: number
  /** Of the control in the same round. All are medians of the rounds. */
  rateOfControl: number
  p99OfControl: number
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

/** All variants in turns, so that what slows the machine down slows all of them down. */
async function measureRates(plan: EventPlan, generator: Generator): Promise<EventRate[]> {
  const receivers = await startReceivers()
  receivers.at(-1)?.setDown(true)
  const instances: Record<Variant, Instance> = {
    control: await startProcesses(plan.engine),
    loaded: await startProcesses(plan.engine, webhookEnv(receivers, ['user.deleted'])),
    subscribed: await startProcesses(plan.engine, webhookEnv(receivers)),
  }
  const rounds: Map<string, LoadResult>[] = []
  for (let round = 0; round < plan.rounds; round++) {
    const results = new Map<string, LoadResult>()
    for (const kind of KINDS)
      for (const variant of turnsOf(round)) {
        const { url, pid } = instances[variant]
        const warmUp = round === 0 ? Math.ceil(WARM_UP * plan.seconds) : 0
        const job = { kind, url, pid, warmUp, size: SIZE, connections: plan.connections }
        const result = await generator.run({ ...job, amount: { seconds: plan.seconds } })
        results.set(kind + variant, result)
        process.stderr.write(`${kind} ${variant}: ${result.perSecond.toFixed(0)} per second\n`)
        if (variant === 'subscribed') await waitUntilQuiet(receivers)
      }
    rounds.push(results)
  }
  await Promise.all(
    [...Object.values(instances), ...receivers].map((each) => ('stop' in each ? each.stop() : each.close())),
  )
  return KINDS.flatMap((kind) => turnsOf(0).map((variant) => summarize(rounds, kind, variant)))
}

/** The variants, each round beginning with another one. */
function turnsOf(round: number): Variant[] {
  const variants: Variant[] = ['control', 'loaded', 'subscribed']
  return variants.map((_, at) => variants[(at + round) % variants.length] as Variant)
}

function summarize(rounds: Map<string, LoadResult>[], kind: EventRate['kind'], variant: Variant): EventRate {
  const ofRounds = (value: (own: LoadResult, control: LoadResult) => number) =>
    median(
      rounds.map((results) =>
        value(results.get(kind + variant) as LoadResult, results.get(`${kind}control`) as LoadResult),
      ),
    )
  return {
    ...{ kind, variant },
    perSecond: ofRounds(({ perSecond }) => perSecond),
    p99Ms: ofRounds(({ p99Ms }) => p99Ms),
    rateOfControl: ofRounds((own, control) => own.perSecond / control.perSecond),
    p99OfControl: ofRounds((own, control) => own.p99Ms / control.p99Ms),
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
