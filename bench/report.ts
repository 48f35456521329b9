/** The figures as people read them. */
import type { Budget } from './budgets.js'
import type { GroupCommit } from './group-commit.js'
import type { Help } from './help.js'
import type { PageWeight } from './page-weight.js'
import type { Startup } from './startup.js'
import type { Sweep } from './sweep.js'
import type { Throughput } from './throughput.js'

/** All that a run found, of the parts that it was asked for. `--json` prints it as it is. */
export interface Report {
  version: string
  node: string
  cpus: number
  throughput?: Throughput[]
  groupCommit?: GroupCommit[]
  startup?: Startup
  help?: Help
  /** null: no Chromium. */
  pages?: PageWeight[] | null
  /** What the pages may cost, and what they do; null: no Chromium. */
  budgets?: Budget[] | null
  sweep?: Sweep[]
}

/** Plain lines with aligned columns. */
export function printReport(report: Report): string {
  const { version, node, cpus, throughput, groupCommit, pages, budgets, sweep } = report
  const tables = [
    throughput && [THROUGHPUT, ...throughput.map(throughputCells)],
    groupCommit && [GROUP_COMMIT, ...groupCommit.map(groupCommitCells)],
    sweep && [SWEEP, ...sweep.map(sweepCells)],
    budgets && [BUDGETS, ...budgets.map(budgetCells)],
    figures(report),
  ]
  const printed = tables.flatMap((table) => (table && table.length > 0 ? ['', ...columns(table)] : []))
  const note = pages === null ? ['pages were not weighed: no Chromium (apt-get install chromium)'] : []
  return [`mayfly ${version}, node ${node}, ${cpus} CPUs`, ...printed, ...note, ''].join('\n')
}

function figures({ startup, help, pages }: Report): string[][] {
  const idle = startup?.idleMb ? `${startup.idleMb.toFixed(0)} MB` : 'unknown here'
  return [
    ...(startup ? [['cold start to the first 200', ms(startup.coldStartMs)]] : []),
    ...(startup ? [['idle memory', idle]] : []),
    ...(help
      ? [['--help', `${ms(help.helpMs)} (${(help.helpMs / help.bareNodeMs).toFixed(1)} times a bare node)`]]
      : []),
    ...(pages ?? []).map(({ page, bytes, files, encodings }) => [
      `scripts of the ${page} page`,
      `${(bytes / 1000).toFixed(1)} kB in ${files} files (${encodings.join(', ')})`,
    ]),
  ]
}

const ms = (value: number) => `${value.toFixed(0)} ms`
const percent = (share: number) => `${(share * 100).toFixed(0)} %`

const THROUGHPUT = [
  'SQLite',
  'text',
  'at once',
  'per second',
  '±',
  'p50 ms',
  'p99 ms',
  'of bare HTTP',
  'of bare insert',
]

function throughputCells(row: Throughput): string[] {
  return [
    row.what,
    row.bytes < 1000 ? `${row.bytes} B` : `${row.bytes / 1000} kB`,
    String(row.concurrency),
    row.perSecond.toFixed(0),
    percent(row.spread),
    row.p50Ms.toFixed(1),
    row.p99Ms.toFixed(1),
    percent(row.ofBareHttp),
    percent(row.ofBareInsert),
  ]
}

const GROUP_COMMIT = ['engine', 'level', 'call', 'at once', 'each alone', 'together', 'times']

function groupCommitCells({ engine, level, what, concurrency, alone, together }: GroupCommit): string[] {
  const times = (together / alone).toFixed(1)
  return [engine, level, what, String(concurrency), alone.toFixed(0), together.toFixed(0), times]
}

const BUDGETS = ['budget', 'is', 'may be', '']

function budgetCells({ what, value, limit, unit }: Budget): string[] {
  const shown = (amount: number) => `${unit === 'kB' ? amount.toFixed(1) : amount.toFixed(0)} ${unit}`
  return [what, shown(value), shown(limit), value > limit ? 'over' : '']
}

const SWEEP = ['engine', 'rows', 'swept', 'seconds', 'p99 of calls before', 'meanwhile', 'times']

function sweepCells(row: Sweep): string[] {
  return [
    row.engine,
    String(row.rows),
    String(row.swept),
    row.seconds.toFixed(1),
    ms(row.quietP99Ms),
    ms(row.sweepingP99Ms),
    (row.sweepingP99Ms / row.quietP99Ms).toFixed(1),
  ]
}

/** The first column to the left, numbers to the right. */
function columns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isText = (column: number) => column === 0 || widths.length === 2
  return rows.map((row) =>
    row
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
