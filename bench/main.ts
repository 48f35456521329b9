/** `npm run bench`: measures a build on this machine. `npm run bench -- --help` lists the parts and their flags. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { version } from '#cli/lib/version'
import { availableEngines, type StorageName } from '#test/databases'
import { countRoundTrips, type RoundTrips } from '#test/round-trips'
import { soak } from '#test/soak/soak'
import { budgets, requestBudgets } from './budgets.js'
import { runAsChild } from './child.js'
import { findCores } from './cores.js'
import { databaseSize } from './database-size.js'
import { load } from './load.js'
import { pageWeights } from './page-weight.js'
import { profile } from './profile.js'
import { formatReport, type Report } from './report.js'
import { REQUEST_KINDS } from './requests.js'
import { startup } from './startup.js'
import { type ThroughputPlan, throughput, throughputWithRows } from './throughput.js'

const DEFAULT_PARTS = ['startup', 'pages', 'throughput']
const PARTS = [...DEFAULT_PARTS, 'profile']

const MAX_PAGE_LOADS = 5

const HELP = `npm run bench -- [PART] [FLAGS]

Parts; without one: ${DEFAULT_PARTS.join(', ')}
  startup        start times, evaluated files and memory; mayfly --help and secret create
  throughput     requests per second, latencies and CPU time, beside a control server
  profile KIND   CPU profile of the server under load, as a file and by package
  pages          bytes and load times of the pages
  soak           an hour of traffic with faults: memory, handles, timers, disk; flags: --minutes N, --fault-minutes N,
                 --engine NAME, --json

Flags
  --json                 print the results as JSON
  --engine LIST          sqlite, postgres, mysql, memory
  --connections LIST     default 1,16,64; profile: 64
  --size LIST            bytes of the texts, default 256,100000; profile: 256
  --request LIST         ${REQUEST_KINDS.join(', ')}
  --seconds N            measured time of each row, default 2; profile: 5
  --rows N               throughput: creates and views with N live rows too
  --secrets N            throughput: secrets for the size of the SQLite file, default 20000
  --log LEVEL            log of the server, default warn
  --out FILE             profile: default mayfly-KIND.cpuprofile
  --runs N               startup: default 9; pages: loads of each page, at most 5
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
  const parts = positionals[0] === 'profile' ? ['profile'] : positionals.length > 0 ? positionals : DEFAULT_PARTS
  for (const part of parts) assertOneOf(PARTS, part, 'part')
  for (const part of PARTS) if (parts.includes(part)) await measurePart(part, report, values, positionals[1])
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report))
}

/** Adds the figures of one part to the report. `kind`: of the requests of `profile`. */
async function measurePart(part: string, report: Report, values: Flags, kind?: string): Promise<void> {
  if (part === 'startup') report.startup = await startup(number(values.runs))
  if (part === 'pages') await measurePages(report, number(values.runs))
  if (part === 'throughput') await measureThroughput(report, values)
  if (part === 'profile') report.profile = await profile(await profilePlan(values, kind))
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

/** The highest counts of the database servers in `storages`; undefined without one. */
async function roundTrips(storages: StorageName[]): Promise<RoundTrips | undefined> {
  let most: RoundTrips | undefined
  for (const storage of storages) {
    if (storage !== 'postgres' && storage !== 'mysql') continue
    const { create, createWithKey, view, missing } = await countRoundTrips(storage)
    most = {
      create: Math.max(create, most?.create ?? 0),
      createWithKey: Math.max(createWithKey, most?.createWithKey ?? 0),
      view: Math.max(view, most?.view ?? 0),
      missing: Math.max(missing, most?.missing ?? 0),
    }
  }
  return most
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
