/** Every part of the benchmark measures and prints its figures. How good the figures are is not tested. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Transfer } from '#bench/files'
import { formatReport, type Report } from '#bench/report'
import type { SoakReport } from '#bench/soak/soak'
import { needs } from '#test/needs'
import { hasS3Server } from '#test/s3'
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
  const ofRequests = budgets?.filter(({ what }) => what.includes('beyond that of the page of a secret')) ?? []
  expect(ofRequests).toHaveLength(3)
  for (const { what, value } of ofRequests) expect(value, what).toBeGreaterThan(10)
}

describe('the benchmark measures', { timeout: TIMEOUT_MS }, () => {
  // Everything that the targets are about, at the smallest scale. CPU times are read from the /proc of Linux.
  describe('the targets:', needs('procfs', 'chromium'), () => {
    let report: Required<Report>
    beforeAll(async () => {
      const counts = ['--rows', '200', '--secrets', '50', '--runs', '1', '--seconds', '0.02', '--quiet', '3']
      const events = ['--events', '30', '--down-seconds', '1', '--rounds', '1']
      report = await bench(
        'targets',
        '--engine',
        'sqlite',
        ...counts,
        ...events,
        '--page-file',
        '1000000',
        '--cli-file',
        '9000000',
      )
    }, TIMEOUT_MS)

    test('each one, or says that it did not', () => {
      const { targets, failed } = report
      expect(failed).toEqual([])
      const unmeasured = targets.filter(({ value }) => value === null).map(({ unit }) => unit)
      expect(unmeasured).toEqual(['of SQLite', 'of SQLite', 'of SQLite', 'of SQLite', 'round trips', 'round trips'])
      const trials = targets.filter(({ isTrial }) => isTrial)
      expect(trials.map(({ unit }) => unit)).toEqual([
        ...['of empty', 's', 'of quiet', 'secrets'],
        ...['MB/s', 'MB/s', 'MB/s', 'MB/s'],
      ])
      for (const { isMet } of trials) expect(isMet).toBeNull()
      expect(formatReport(report)).toMatch(/^command line: upload of 1 GiB +[\d.]+ +>= 150 +MB\/s +trial$/m)
      expect(formatReport(report)).toMatch(/^create of 100 kB on sqlite, .* >= 1.5 +of enclosed +(yes|NO)$/m)
    })

    test('throughput of each request beside the control', () => {
      const { throughput, withRows, databaseSize } = report
      const rows = throughput.map(({ kind, server, size, connections }) => [kind, server, size, connections].join(' '))
      // Creates, refused ones too, and views have a text: of 256 or 100,000 bytes.
      expect(new Set(rows).size).toBe((4 * 2 + 3) * 2 * 2)
      expect(rows).toHaveLength((4 * 2 + 3) * 2 * 2)
      expectMeasured(throughput.flatMap(({ requests, perSecond, p50Ms, p99Ms }) => [requests, perSecond, p50Ms, p99Ms]))
      expectMeasured(throughput.flatMap(({ cpuMicros, ofControl }) => [cpuMicros, ofControl]))
      expect(new Set(withRows.map(({ rows }) => rows))).toEqual(new Set([0, 200]))
      expectMeasured(withRows.map(({ perSecond }) => perSecond))
      expect(databaseSize.bytesPerSecret).toBeGreaterThan(256)
      expect(formatReport(report)).toMatch(/^404 view +- +sqlite +64 +\d+ +[\d.]+ +[\d.]+/m)
    })

    test('durable events of four processes: rates, and their delivery', () => {
      const { rates, delivery } = report.events
      expect(rates).toHaveLength(4)
      expectMeasured(rates.flatMap(({ perSecond, p99Ms, cpuMicros }) => [perSecond, p99Ms, cpuMicros]))
      const shares = rates.flatMap((rate) => [rate.rateOfControl, rate.p99OfControl, rate.cpuOfControl])
      expectMeasured(shares.map((share) => share?.median ?? null))
      // One round shows nothing.
      for (const share of shares) expect(share?.interval).toBeNull()
      expect(report.targets.filter(({ unit }) => unit === 'of control').map(({ isMet }) => isMet)).toEqual(
        Array.from({ length: 10 }, () => null),
      )
      expect(delivery).toMatchObject({ events: 30, problems: [] })
      expect(formatReport(report)).toMatch(/^view +subscribed +\d+ +[\d.]+/m)
      expect(formatReport(report)).toMatch(/^view with 3 subscribers, .*: rate .* >= 0.85 +of control +not shown$/m)
    })

    test('start-up and memory', () => {
      const { startup, targets } = report
      expectMeasured(Object.values(startup))
      expect(startup.modules).toBeGreaterThan(10)
      expect(startup.ownModules).toBeLessThan(startup.modules)
      const started = targets.find(({ unit }) => unit === 'ms')?.value
      expect(started).toBeCloseTo(startup.coldStartMs - startup.bareNodeMs)
      expect(formatReport(report)).toMatch(/^idle memory of serve .* MB$/m)
    })

    test('bytes and load times of the pages', () => expectPages(report))
  })

  // A signal starts the profiler.
  test('a CPU profile by package', needs('procfs'), async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-bench-test-'))
    const file = join(folder, 'view.cpuprofile')
    const report = await bench('profile', 'view', '--seconds', '2', '--connections', '8', '--out', file)
    const names = report.profile.packages.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['koa', 'knex', 'sqlite3', 'mayfly core/secrets', '(idle)']))
    expect(report.profile.functions.some(({ name }) => /core\/secrets\/view-secret\.ts:\d+$/.test(name))).toBe(true)
    expect(JSON.parse(await readFile(file, 'utf8')).samples.length).toBeGreaterThan(10)
    expect(formatReport(report)).toMatch(/^mayfly core\/secrets +\d+ +[\d.]+ % +[\d.]+$/m)
    await rm(folder, { recursive: true })
  })

  test('group commit', needs('mysql'), async () => {
    const { groupCommit } = await bench('group-commit', '--engine', 'mysql', '--rounds', '1', '--requests', '1')
    const rows = groupCommit.map(({ alone, together, ...row }) => Object.values(row).join(' '))
    expect(new Set(rows).size).toBe(12)
    expectMeasured(groupCommit.flatMap(({ alone, together }) => [alone, together]))
  })

  test('cleanup of a table', needs('postgres'), async () => {
    const { cleanup } = await bench('cleanup', '--engine', 'postgres', '--rows', '300', '--quiet', '3')
    expect(cleanup).toHaveLength(1)
    for (const { deleted } of cleanup) expect(deleted).toBe(210)
    expectMeasured(cleanup.flatMap(({ quietP99Ms, cleanupP99Ms }) => [quietP99Ms, cleanupP99Ms]))
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

  // Its trends need an hour; here it only has to find no fault.
  test('a soak with faults', needs('procfs'), async () => {
    const args = [join(ROOT, 'dist/bench.js'), 'soak', '--minutes', '0.3', '--fault-minutes', '0.05', '--json']
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
