/** Results of a run, and the tables that are printed of them. */
import type { RoundTrips } from '#test/round-trips'
import type { Budget } from './budgets.js'
import type { DatabaseSize } from './database-size.js'
import type { PageWeight } from './page-weight.js'
import type { Profile } from './profile.js'
import type { SelfTime } from './profile-times.js'
import type { Startup } from './startup.js'
import { alignColumns } from './table.js'
import { ratesOfEmpty, type ThroughputRow } from './throughput.js'

/** Results of the parts that ran. `--json` prints it unchanged. */
export interface Report {
  version: string
  node: string
  cpus: number
  /** Cores of the server and of the load generator. Null: not pinned. */
  cores: { server: number; load: number } | null
  throughput?: ThroughputRow[]
  /** Creates and views with many live rows, next to an empty database. */
  withRows?: ThroughputRow[]
  databaseSize?: DatabaseSize
  /** Round trips between server and database for one request: the highest count of all measured database servers. */
  roundTrips?: RoundTrips | undefined
  startup?: Startup
  profile?: Profile
  /** null: no Chromium. */
  pages?: PageWeight[] | null
  /** Limits of the pages; null: no Chromium. */
  budgets?: Budget[] | null
}

const TOP = 25

/** Formats every part of a report as a table. */
export function formatReport(report: Report): string {
  const { throughput, withRows, databaseSize, roundTrips, startup, profile, pages, budgets } = report
  const tables = [
    throughput && alignColumns([THROUGHPUT, ...throughput.map(throughputCells)], 3),
    withRows && alignColumns([WITH_ROWS, ...withRowsCells(withRows)], 2),
    databaseSize && [databaseSizeLine(databaseSize)],
    roundTrips && [roundTripsLine(roundTrips)],
    startup && alignColumns(startupCells(startup)),
    profile && profileLines(profile),
    budgets && alignColumns([BUDGETS, ...budgets.map(budgetCells)]),
    pages && alignColumns(pages.map(pageCells), 2),
    pages === null && ['pages are not measured without Chromium (apt-get install chromium-headless-shell)'],
  ]
  return [header(report), ...tables.flatMap((lines) => (lines ? ['', ...lines] : [])), ''].join('\n')
}

function header({ version, node, cpus, cores }: Report): string {
  const pinned = cores
    ? `server on core ${cores.server}, load generator on core ${cores.load}`
    : 'server and load generator not pinned: taskset or a second core is missing'
  return `mayfly ${version}, node ${node}, ${cpus} CPUs, ${pinned}`
}

const ms = (value: number) => `${value.toFixed(0)} ms`
const percent = (share: number) => `${(share * 100).toFixed(0)} %`
const orUnknown = (value: number | null, format: (value: number) => string) => (value === null ? '?' : format(value))
const bytes = (size: number) => (size < 1000 ? `${size} B` : `${size / 1000} kB`)

const THROUGHPUT = [
  'request',
  'text',
  'server',
  'connections',
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'x control',
  'busy',
  'database µs',
]

function throughputCells(row: ThroughputRow): string[] {
  const usesDatabase = row.server === 'postgres' || row.server === 'mysql'
  return [
    row.kind,
    row.size === null ? '-' : bytes(row.size),
    row.server,
    String(row.connections),
    row.perSecond.toFixed(0),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    orUnknown(row.cpuMicros, (value) => value.toFixed(0)),
    orUnknown(row.ofControl, (value) => value.toFixed(2)),
    orUnknown(row.busy, percent),
    usesDatabase ? orUnknown(row.databaseMicros, (value) => value.toFixed(0)) : '-',
  ]
}

const WITH_ROWS = ['request', 'server', 'connections', 'live rows', 'per second', 'of empty']

function withRowsCells(rows: ThroughputRow[]): string[][] {
  const shares = ratesOfEmpty(rows)
  return rows.map((row) => [
    row.kind,
    row.server,
    String(row.connections),
    String(row.rows),
    row.perSecond.toFixed(0),
    row.rows > 0 ? (shares.shift() ?? Number.NaN).toFixed(2) : '',
  ])
}

const databaseSizeLine = ({ secrets, size, bytesPerSecret }: DatabaseSize) =>
  `SQLite file after ${secrets} secrets of ${bytes(size)}: ${bytesPerSecret.toFixed(0)} B for each secret`

const roundTripsLine = ({ create, createWithKey, view, missing }: RoundTrips) =>
  `round trips to the database: create ${create}, create with idempotency key ${createWithKey}, view ${view}, 404 ${missing}`

function startupCells(startup: Startup): string[][] {
  const { bareNodeMs } = startup
  const row = (what: string, value: number) => [
    what,
    ms(value),
    ms(value - bareNodeMs),
    (value / bareNodeMs).toFixed(1),
  ]
  return [
    [`startup, medians of ${startup.runs}`, 'time', 'without node', 'x node'],
    row('node -e 0', bareNodeMs),
    row('serve, empty data folder, to the first 200', startup.coldStartMs),
    row('serve, existing data folder, to the first 200', startup.restartMs),
    row('mayfly --help', startup.helpMs),
    row('mayfly secret create, text from a pipe', startup.createMs),
    row('client file, secret create --help', startup.clientMs),
    ['CPU time of node -e 0', ms(startup.bareNodeCpuMs)],
    ['CPU time of serve, empty data folder', orUnknown(startup.coldStartCpuMs, ms)],
    ['files evaluated by serve', String(startup.modules)],
    ['of these in the build', String(startup.ownModules)],
    ['idle memory of serve after 5 s (RSS)', `${startup.idleRssMb.toFixed(1)} MB`],
    ['JavaScript heap in use', `${startup.idleHeapMb.toFixed(1)} MB`],
  ]
}

function profileLines({ kind, file, load, packages, functions }: Profile): string[] {
  const cells = ({ name, ms: time, share, microsPerRequest }: SelfTime) => [
    name,
    time.toFixed(0),
    `${(share * 100).toFixed(1)} %`,
    microsPerRequest.toFixed(1),
  ]
  const table = (title: string, times: SelfTime[]) =>
    alignColumns([[title, 'self ms', 'of busy', 'µs per request'], ...times.slice(0, TOP).map(cells)])
  return [
    `${kind}: ${load.perSecond.toFixed(0)} per second, ${orUnknown(load.cpuMicros, (value) => value.toFixed(0))} µs of CPU for each of ${load.requests} requests, all threads`,
    `profile of the main thread: ${file}`,
    '',
    ...table('package', packages),
    '',
    ...table('function', functions),
  ]
}

const BUDGETS = ['page budget', 'value', 'limit', '']

function budgetCells({ what, value, limit, unit }: Budget): string[] {
  const format = (amount: number) => `${unit === 'kB' ? amount.toFixed(1) : amount.toFixed(0)} ${unit}`
  return [what, format(value), format(limit), value > limit ? 'over' : '']
}

const pageCells = ({ page, bytes, files, encodings }: PageWeight) => [
  `scripts of the ${page} page`,
  `${(bytes / 1000).toFixed(1)} kB in ${files} files (${encodings.join(', ')})`,
]
