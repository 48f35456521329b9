/** The benchmark still measures: every figure is there and can be true. How good they are is nobody's test. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#core/testing/source-files'
import type { Report } from './report.js'

test('one short round', () => {
  const args = [join(ROOT, 'dist/bench.js'), '--json', '--rounds', '1', '--requests', '4']
  const report: Report = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  const rows = report.throughput.map(({ what, bytes, concurrency }) => `${what} ${bytes} ${concurrency}`)
  expect(new Set(rows).size).toBe(12)
  const figures = report.throughput.flatMap(({ what, spread, ...numbers }) => Object.values(numbers))
  const { coldStartMs, idleMb } = report.startup
  for (const figure of [...figures, coldStartMs, idleMb ?? 1, ...Object.values(report.help)]) {
    expect(figure).toBeGreaterThan(0)
    expect(figure).toBeLessThan(Number.POSITIVE_INFINITY)
  }
  for (const { bytes, encodings } of report.pages ?? []) {
    expect(bytes).toBeGreaterThan(10_000)
    expect(encodings).toEqual(['br'])
  }
}, 120_000)
