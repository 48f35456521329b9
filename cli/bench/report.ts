/** The figures as people read them. */
import type { Help } from './help.js'
import type { PageWeight } from './page-weight.js'
import type { Startup } from './startup.js'
import type { Throughput } from './throughput.js'

/** All that a run found. `--json` prints it as it is. */
export interface Report {
  version: string
  node: string
  cpus: number
  throughput: Throughput[]
  startup: Startup
  help: Help
  /** null: no Chromium. */
  pages: PageWeight[] | null
}

/** Plain lines with aligned columns. */
export function printReport({ version, node, cpus, throughput, startup, help, pages }: Report): string {
  const idle = startup.idleMb === null ? 'unknown here' : `${startup.idleMb.toFixed(0)} MB`
  const figures = [
    ['cold start to the first 200', `${startup.coldStartMs.toFixed(0)} ms`],
    ['idle memory', idle],
    ['--help', `${help.helpMs.toFixed(0)} ms (${(help.helpMs / help.bareNodeMs).toFixed(1)} times a bare node)`],
    ...(pages ?? []).map(({ page, bytes, files, encodings }) => [
      `scripts of the ${page} page`,
      `${(bytes / 1000).toFixed(1)} kB in ${files} files (${encodings.join(', ')})`,
    ]),
  ]
  return [
    `mayfly ${version}, node ${node}, ${cpus} CPUs, SQLite`,
    '',
    ...columns([HEADINGS, ...throughput.map(cells)]),
    '',
    ...columns(figures),
    ...(pages === null ? ['pages were not weighed: no Chromium (apt-get install chromium)'] : []),
    '',
  ].join('\n')
}

const HEADINGS = ['call', 'text', 'at once', 'per second', '±', 'p50 ms', 'p99 ms', 'of bare HTTP', 'of bare insert']

function cells(row: Throughput): string[] {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`
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
