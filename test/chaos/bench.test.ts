/** The benchmark still measures: every figure is there and can be true. How good they are is nobody's test. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '#bench/report'
import { availableEngines } from '#test/databases'
import { ROOT } from '#test/source-files'

/** It starts many processes, one after the other, on a machine that may be busy. */
const PATIENCE = 300_000

const bench = (...args: string[]): Required<Report> =>
  JSON.parse(execFileSync(process.execPath, [join(ROOT, 'dist/bench.js'), '--json', ...args], { encoding: 'utf8' }))

function expectTrue(figures: number[]): void {
  for (const figure of figures) {
    expect(figure).toBeGreaterThan(0)
    expect(figure).toBeLessThan(Number.POSITIVE_INFINITY)
  }
}

test(
  'one short round',
  () => {
    const report = bench('start', 'pages', 'throughput', '--rounds', '1', '--requests', '4')
    const { throughput, startup, help, pages, budgets } = report
    const rows = throughput.map(({ what, bytes, concurrency }) => `${what} ${bytes} ${concurrency}`)
    expect(new Set(rows).size).toBe(12)
    expectTrue(throughput.flatMap(({ what, spread, ...numbers }) => Object.values(numbers)))
    expectTrue([startup.coldStartMs, startup.idleMb ?? 1, ...Object.values(help)])
    for (const { bytes, encodings } of pages ?? []) {
      expect(bytes).toBeGreaterThan(10_000)
      expect(encodings).toEqual(['br'])
    }
    for (const { what, value, limit, unit } of budgets ?? []) {
      expect(value, what).toBeGreaterThanOrEqual(0)
      if (unit !== 'ms') expect(value, what).toBeLessThanOrEqual(limit)
    }
    if (budgets) expect(budgets.length).toBeGreaterThan(10)
  },
  PATIENCE,
)

test(
  'one short round with group commit and without',
  async () => {
    const { groupCommit } = bench('group-commit', '--rounds', '1', '--requests', '4')
    const rows = groupCommit.map(({ alone, together, ...row }) => Object.values(row).join(' '))
    expect(new Set(rows).size).toBe(12 * (await availableEngines()).length)
    expectTrue(groupCommit.flatMap(({ alone, together }) => [alone, together]))
  },
  PATIENCE,
)

test(
  'a small table that is swept',
  async () => {
    const { sweep } = bench('sweep', '--rows', '300', '--quiet', '3')
    expect(sweep).toHaveLength((await availableEngines()).length)
    for (const { swept } of sweep) expect(swept).toBe(210)
    expectTrue(sweep.flatMap(({ quietP99Ms, sweepingP99Ms }) => [quietP99Ms, sweepingP99Ms]))
  },
  PATIENCE,
)
