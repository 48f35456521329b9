/** Every part of the benchmark measures and prints its figures. How good the figures are is not tested. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatReport, type Report } from '#bench/report'
import { needs } from '#test/needs'
import type { SoakReport } from '#test/soak/soak'
import { ROOT } from '#test/source-files'

// Many times as long as on an idle machine with two cores.
const TIMEOUT_MS = 1_800_000

async function bench<T = Required<Report>>(...args: string[]): Promise<T> {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [join(ROOT, 'dist/bench.js'), ...args, '--json'])
  return JSON.parse(stdout)
}

function expectMeasured(figures: (number | null)[]): void {
  for (const figure of figures) {
    expect(figure).toBeGreaterThan(0)
    expect(figure).toBeLessThan(Number.POSITIVE_INFINITY)
  }
}

function expectPages({ pages, budgets }: Required<Report>): void {
  for (const { bytes, encodings } of pages ?? []) {
    expect(bytes).toBeGreaterThan(10_000)
    expect(encodings).toEqual(['br'])
  }
  for (const { what, value, limit, unit } of budgets ?? []) {
    expect(value, what).toBeGreaterThanOrEqual(0)
    if (unit !== 'ms') expect(value, what).toBeLessThanOrEqual(limit)
  }
  expect(budgets?.length).toBeGreaterThan(10)
  const ofRequests = budgets?.filter(({ what }) => what.includes('less the worker of the page of a secret')) ?? []
  expect(ofRequests).toHaveLength(3)
  for (const { what, value } of ofRequests) expect(value, what).toBeGreaterThan(1)
}

describe('the benchmark measures', { timeout: TIMEOUT_MS }, () => {
  // Every part at the smallest scale. CPU times are read from the /proc of Linux.
  describe('on SQLite', needs('procfs', 'chromium'), () => {
    let report: Required<Report>
    beforeAll(async () => {
      const scale = ['--rows', '200', '--secrets', '50', '--runs', '1', '--seconds', '0.02', '--size', '20000']
      report = await bench('startup', 'pages', 'throughput', '--engine', 'sqlite', '--connections', '4', ...scale)
    }, TIMEOUT_MS)

    test('REL-15: throughput of each request beside the control', () => {
      const { throughput, withRows, databaseSize } = report
      const rows = throughput.map(({ kind, server, size, connections }) => [kind, server, size, connections].join(' '))
      expect(new Set(rows).size).toBe(7 * 2)
      expect(rows).toHaveLength(7 * 2)
      expectMeasured(throughput.flatMap(({ requests, perSecond, p50Ms, p99Ms }) => [requests, perSecond, p50Ms, p99Ms]))
      expectMeasured(throughput.flatMap(({ cpuMicros, ofControl }) => [cpuMicros, ofControl]))
      expect(new Set(withRows.map(({ rows }) => rows))).toEqual(new Set([0, 200]))
      expectMeasured(withRows.map(({ perSecond }) => perSecond))
      expect(databaseSize.bytesPerSecret).toBeGreaterThan(256)
      expect(formatReport(report)).toMatch(/^404 view +- +sqlite +4 +\d+ +[\d.]+ +[\d.]+/m)
    })

    test('start-up and memory', () => {
      const { startup } = report
      expectMeasured(Object.values(startup))
      expect(startup.modules).toBeGreaterThan(10)
      expect(startup.ownModules).toBeLessThan(startup.modules)
      expect(formatReport(report)).toMatch(/^idle memory of serve .* MB$/m)
    })

    test('bytes and load times of the pages', () => expectPages(report))
  })

  // A signal starts the profiler.
  test('a CPU profile by package', needs('procfs'), async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-bench-test-'))
    const file = join(folder, 'view.cpuprofile')
    const report = await bench('profile', 'view', '--seconds', '0.5', '--connections', '8', '--out', file)
    const names = report.profile.packages.map(({ name }) => name)
    // Each takes more than 2 % of the time, so one of 500 samples has it.
    expect(names).toEqual(expect.arrayContaining(['koa', 'knex', 'mayfly core/secrets', '(idle)']))
    expect(report.profile.functions.some(({ name }) => /core\/secrets\/[\w-]+\.ts:\d+$/.test(name))).toBe(true)
    expect(JSON.parse(await readFile(file, 'utf8')).samples.length).toBeGreaterThan(10)
    expect(formatReport(report)).toMatch(/^mayfly core\/secrets +\d+ +[\d.]+ % +[\d.]+$/m)
    await rm(folder, { recursive: true })
  })

  // Its trends need an hour; here it only must not find a fault. The time is enough for each kind of fault.
  test('REL-14: a soak with faults', needs('procfs'), async () => {
    const args = [join(ROOT, 'dist/bench.js'), 'soak', '--minutes', '0.22', '--fault-minutes', '0.02', '--json']
    const stdout = await promisify(execFile)(process.execPath, args).then(
      (ended) => ended.stdout,
      (error) => error.stdout,
    )
    const report: SoakReport = JSON.parse(stdout)
    expect(report.faults).toEqual([])
    expect(report.completed).toBeGreaterThan(0)
    expect(report.injected.length).toBeGreaterThan(1)
    expect(report.trends.map(({ figure }) => figure)).toEqual(['memoryMib', 'handles', 'timers', 'rows', 'diskMib'])
    expectMeasured(report.trends.flatMap(({ before, after }) => [before, after]))
  })
})
