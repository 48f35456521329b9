/** The benchmark measures and prints every figure. How good the figures are is not tested. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Transfer } from '#bench/files'
import type { Report } from '#bench/report'
import { needs } from '#test/needs'
import { hasS3Server } from '#test/s3'
import { ROOT } from '#test/source-files'

const TIMEOUT_MS = 300_000

async function bench<T = Required<Report>>(...args: string[]): Promise<T> {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [join(ROOT, 'dist/bench.js'), ...args, '--json'])
  return JSON.parse(stdout)
}

function expectMeasured(figures: number[]): void {
  for (const figure of figures) {
    expect(figure).toBeGreaterThan(0)
    expect(figure).toBeLessThan(Number.POSITIVE_INFINITY)
  }
}

/** Each engine runs in one part: SQLite in throughput. */
describe('the benchmark measures', { timeout: TIMEOUT_MS }, () => {
  test('start-up, pages and throughput', async () => {
    const report = await bench('start', 'pages', 'throughput', '--rounds', '1', '--requests', '1')
    const { throughput, startup, help, pages, budgets } = report
    const rows = throughput.map(({ what, bytes, concurrency }) => `${what} ${bytes} ${concurrency}`)
    expect(new Set(rows).size).toBe(12)
    expectMeasured(throughput.flatMap(({ what, spread, ...numbers }) => Object.values(numbers)))
    expectMeasured([startup.coldStartMs, startup.idleMb ?? 1, ...Object.values(help)])
    for (const { bytes, encodings } of pages ?? []) {
      expect(bytes).toBeGreaterThan(10_000)
      expect(encodings).toEqual(['br'])
    }
    for (const { what, value, limit, unit } of budgets ?? []) {
      expect(value, what).toBeGreaterThanOrEqual(0)
      if (unit !== 'ms') expect(value, what).toBeLessThanOrEqual(limit)
    }
    if (budgets) expect(budgets.length).toBeGreaterThan(10)
  })

  test('group commit', needs('mysql'), async () => {
    const { groupCommit } = await bench('group-commit', '--engine', 'mysql', '--rounds', '1', '--requests', '1')
    const rows = groupCommit.map(({ alone, together, ...row }) => Object.values(row).join(' '))
    expect(new Set(rows).size).toBe(12)
    expectMeasured(groupCommit.flatMap(({ alone, together }) => [alone, together]))
  })

  test('cleanup of a table', needs('postgres'), async () => {
    const { sweep } = await bench('sweep', '--engine', 'postgres', '--rows', '300', '--quiet', '3')
    expect(sweep).toHaveLength(1)
    for (const { swept } of sweep) expect(swept).toBe(210)
    expectMeasured(sweep.flatMap(({ quietP99Ms, sweepingP99Ms }) => [quietP99Ms, sweepingP99Ms]))
  })

  // It reads the peak memory of processes from the /proc of Linux.
  test('transfers of files', needs('procfs'), async () => {
    const rows = await bench<Transfer[]>('files', '--size', '10', '--only', 'cli')
    expect(rows.map(({ what }) => what).slice(0, 3)).toEqual(['upload', 'download', 'upload of a pipe'])
    expect(rows).toHaveLength((await hasS3Server()) ? 6 : 3)
    for (const { mbPerSecond, clientMib, serverGrowthMib } of rows) {
      expect(mbPerSecond).toBeGreaterThan(0)
      expect(clientMib).toBeGreaterThan(20)
      expect(serverGrowthMib).toBeGreaterThanOrEqual(0)
    }
  })
})
