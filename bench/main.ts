/** `npm run bench`: measures a build on this machine. `npm run bench -- --help` lists the parts and their flags. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { version } from '#cli/lib/version'
import { availableEngines, type EngineName, type StorageName } from '#test/databases'
import { countRoundTrips, type RoundTrips } from '#test/round-trips'
import { budgets, requestBudgets } from './budgets.js'
import { runAsChild } from './child.js'
import { measureCleanup } from './cleanup.js'
import { findCores } from './cores.js'
import { databaseSize } from './database-size.js'
import { type EventPlan, measureEvents } from './events.js'
import { files, targetTransfers } from './files.js'
import { groupCommit } from './group-commit.js'
import { load } from './load.js'
import { pageWeights } from './page-weight.js'
import { profile } from './profile.js'
import { formatReport, type Report } from './report.js'
import { REQUEST_KINDS } from './requests.js'
import { soak } from './soak/soak.js'
import { startup } from './startup.js'
import { storageRates } from './storage-rates.js'
import { CLI_FILE_BYTES, checkTargets, PAGE_FILE_BYTES, TARGET_EVENTS, TARGET_ROWS } from './targets.js'
import { type ThroughputPlan, throughput, throughputWithRows } from './throughput.js'

const DEFAULT_PARTS = ['startup', 'pages', 'throughput', 'group-commit']
const PARTS = [...DEFAULT_PARTS, 'cleanup', 'events', 'profile']
/** Parts that the targets are about: those of `targets`. */
const TARGET_PARTS = ['startup', 'pages', 'throughput', 'cleanup', 'events', 'files']

const MAX_PAGE_LOADS = 5

const HELP = `npm run bench -- [PART] [FLAGS]

Parts; without one: ${DEFAULT_PARTS.join(', ')}
  targets        every part with a target at its full scale, and one table: value, target, met or not. Takes an hour or more;
                 less with --rows, --page-file, --cli-file, --secrets, --runs, --seconds, --quiet
  startup        start times, evaluated files and memory; mayfly --help and secret create
  throughput     requests per second, latencies and CPU time, beside a control server
  profile KIND   CPU profile of the server under load, as a file and by package
  pages          bytes and load times of the pages
  group-commit   creates and views per second with and without group commit
  cleanup        latencies while a large table is cleaned up
  events         creates and views of four processes with and without webhooks, and the delivery of all events to three
                 targets of which one is down; on the first of --engine, default PostgreSQL
  files          MB/s and memory of one large file; has its own flags: --size MiB, --only cli|browser
  soak           an hour of traffic with faults: memory, handles, timers, disk; flags: --minutes N, --fault-minutes N,
                 --engine NAME, --json

Flags
  --json                 print the results as JSON
  --engine LIST          sqlite, postgres, mysql, memory
  --connections LIST     default 1,16,64; profile: 64
  --size LIST            bytes of the texts, default 256,100000; profile: 256
  --request LIST         ${REQUEST_KINDS.join(', ')}
  --seconds N            measured time of each row, default 2; profile: 5; events: 1
  --rows N               throughput: creates and views with N live rows too; cleanup: rows of the table
  --secrets N            throughput: secrets for the size of the SQLite file, default 20000
  --log LEVEL            log of the server, default warn
  --out FILE             profile: default mayfly-KIND.cpuprofile
  --runs N               startup: default 9; pages: loads of each page, at most 5
  --rounds N --requests N   group-commit: default 3 and 1000; --rounds also for events: default 12, six or more for a
                         verdict, and four times as many without subscribers
  --quiet S --watch S    cleanup: seconds before the cleanup, and at most after its start
  --events N --down-seconds S   events: events for each target, and how long one of them is down; default 10000 and 60
  --page-file BYTES --cli-file BYTES   targets: files that are sent, default 100 MB and 1 GiB
`

const FLAGS = {
  help: { type: 'boolean', short: 'h', default: false },
  json: { type: 'boolean', default: false },
  engine: { type: 'string' },
  connections: { type: 'string' },
  size: { type: 'string' },
  request: { type: 'string', default: REQUEST_KINDS.join() },
  seconds: { type: 'string' },
  rows: { type: 'string' },
  secrets: { type: 'string', default: '20000' },
  log: { type: 'string', default: 'warn' },
  out: { type: 'string' },
  runs: { type: 'string', default: '9' },
  rounds: { type: 'string' },
  requests: { type: 'string', default: '1000' },
  quiet: { type: 'string', default: '20' },
  watch: { type: 'string', default: '3600' },
  events: { type: 'string', default: String(TARGET_EVENTS) },
  'down-seconds': { type: 'string', default: '60' },
  'page-file': { type: 'string', default: String(PAGE_FILE_BYTES) },
  'cli-file': { type: 'string', default: String(CLI_FILE_BYTES) },
} as const

const parse = (args: string[]) => parseArgs({ args, allowPositionals: true, options: FLAGS })
type Flags = ReturnType<typeof parse>['values']

// Servers are ended by listeners of `exit`, which a signal alone does not call.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

switch (process.argv[2]) {
  case 'load':
    runAsChild(load)
    break
  case 'storage-rates':
    runAsChild(storageRates)
    break
  case 'files':
    await files(process.argv.slice(3))
    break
  case 'soak':
    await soak(process.argv.slice(3))
    break
  default:
    await main()
}

async function main(): Promise<void> {
  const { values, positionals } = parse(process.argv.slice(2))
  if (values.help) return void process.stdout.write(HELP)
  const report: Report = { version, node: process.versions.node, cpus: availableParallelism(), cores: findCores() }
  if (positionals[0] === 'targets') await measureTargets(report, values)
  else {
    const parts = positionals[0] === 'profile' ? ['profile'] : positionals.length > 0 ? positionals : DEFAULT_PARTS
    for (const part of parts) assertOneOf(PARTS, part, 'part')
    for (const part of PARTS) if (parts.includes(part)) await measurePart(part, report, values, positionals[1])
    if (parts.some((part) => TARGET_PARTS.includes(part))) report.targets = checkTargets(report)
  }
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report))
}

/** Measures every part that a target is about. A part that fails is reported, and does not lose the figures of the others. */
async function measureTargets(report: Report, values: Flags): Promise<void> {
  const rows = values.rows ?? String(TARGET_ROWS)
  const engine = values.engine ?? (await availableEngines()).join()
  const scaled: Flags = { ...values, rows, engine, connections: values.connections ?? '1,64' }
  report.failed = []
  for (const part of TARGET_PARTS) {
    process.stderr.write(`measuring ${part}\n`)
    await measurePart(part, report, scaled).catch((error: Error) => report.failed?.push(`${part}: ${error.message}`))
  }
  report.targets = checkTargets(report)
  if (report.failed.length > 0) process.exitCode = 1
}

/** Adds the figures of one part to the report. `kind`: of the requests of `profile`. */
async function measurePart(part: string, report: Report, values: Flags, kind?: string): Promise<void> {
  if (part === 'startup') report.startup = await startup(number(values.runs))
  if (part === 'pages') await measurePages(report, number(values.runs))
  if (part === 'throughput') await measureThroughput(report, values)
  if (part === 'profile') report.profile = await profile(await profilePlan(values, kind))
  if (part === 'group-commit') {
    const effort = { rounds: number(values.rounds ?? '3'), requests: number(values.requests) }
    report.groupCommit = await groupCommit(await sqlEngines(values), effort)
  }
  if (part === 'cleanup') {
    const times = { quiet: number(values.quiet), watch: number(values.watch) }
    report.cleanup = await measureCleanup(await sqlEngines(values), number(values.rows ?? '100000'), times)
  }
  if (part === 'events') report.events = await measureEvents(await eventPlan(values))
  if (part === 'files') report.files = await targetTransfers(number(values['page-file']), number(values['cli-file']))
}

async function measurePages(report: Report, runs: number): Promise<void> {
  report.pages = await pageWeights()
  const ofPages = await budgets(Math.min(runs, MAX_PAGE_LOADS))
  report.budgets = report.pages && ofPages && [...ofPages, ...requestBudgets(report.pages)]
  // Times depend on the machine too.
  if (report.budgets?.some(({ value, limit, unit }) => unit !== 'ms' && value > limit)) process.exitCode = 1
}

async function measureThroughput(report: Report, values: Flags): Promise<void> {
  const plan: ThroughputPlan = {
    storages: await storages(values),
    kinds: list(values.request).map((kind) => assertOneOf(REQUEST_KINDS, kind, 'request')),
    connections: list(values.connections ?? '1,16,64').map(number),
    sizes: list(values.size ?? '256,100000').map(number),
    seconds: number(values.seconds ?? '2'),
    log: values.log,
  }
  report.throughput = await throughput(plan, ({ kind, size, server, connections, perSecond }) => {
    process.stderr.write(`${kind} ${size ?? ''} ${server} ${connections}: ${perSecond.toFixed(0)} per second\n`)
  })
  report.roundTrips = await roundTrips(plan.storages)
  if (values.rows) report.withRows = await throughputWithRows(plan, number(values.rows))
  const [size] = plan.sizes
  if (plan.storages.includes('sqlite') && size !== undefined && plan.kinds.includes('create'))
    report.databaseSize = await databaseSize(number(values.secrets), size)
}

/** The most of the database servers among these; undefined without one. */
async function roundTrips(storages: StorageName[]): Promise<RoundTrips | undefined> {
  let most: RoundTrips | undefined
  for (const storage of storages) {
    if (storage !== 'postgres' && storage !== 'mysql') continue
    const { create, createWithKey, view } = await countRoundTrips(storage)
    most = {
      create: Math.max(create, most?.create ?? 0),
      createWithKey: Math.max(createWithKey, most?.createWithKey ?? 0),
      view: Math.max(view, most?.view ?? 0),
    }
  }
  return most
}

/** PostgreSQL if it is among the engines of `--engine`, or of this machine. */
async function eventPlan(values: Flags): Promise<EventPlan> {
  const engines = await sqlEngines(values)
  return {
    engine: engines.find((name) => name === 'postgres') ?? engines[0] ?? 'sqlite',
    events: number(values.events),
    downSeconds: number(values['down-seconds']),
    rounds: number(values.rounds ?? '12'),
    seconds: number(values.seconds ?? '1'),
    connections: Math.max(...list(values.connections ?? '16').map(number)),
  }
}

async function profilePlan(values: Flags, kind: string | undefined) {
  const [storage = 'sqlite' as const] = values.engine ? await storages(values) : []
  return {
    kind: assertOneOf(REQUEST_KINDS, kind ?? '', 'request'),
    storage,
    connections: number(values.connections ?? '64'),
    size: number(values.size ?? '256'),
    seconds: number(values.seconds ?? '5'),
    log: values.log,
    file: values.out ?? `mayfly-${kind?.replaceAll(' ', '-')}.cpuprofile`,
  }
}

/** The engines of `--engine`, or all that this machine has. */
async function storages({ engine }: Flags): Promise<StorageName[]> {
  const available: StorageName[] = [...(await availableEngines()), 'memory']
  return engine ? list(engine).map((name) => assertOneOf(available, name, 'engine')) : available
}

async function sqlEngines(values: Flags): Promise<EngineName[]> {
  return (await storages(values)).filter((storage): storage is EngineName => storage !== 'memory')
}

function list(text: string): string[] {
  return text.split(',').map((item) => item.trim())
}

/** Throws unless the value is a positive number. */
function number(text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new Error(`"${text}" is not a positive number`)
}

function assertOneOf<Name extends string>(names: readonly Name[], name: string, what: string): Name {
  const found = names.find((each) => each === name)
  if (!found) throw new Error(`unknown ${what} "${name}"; known: ${names.join(', ')}`)
  return found
}
