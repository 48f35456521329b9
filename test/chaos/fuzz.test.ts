/** A short run of the fuzzer of the parsers, and faults that it has to find. `npm run fuzz` runs longer. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#test/source-files'

function fuzz(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/fuzz.mjs'), ...args])
  return { status, output: `${stdout}${stderr}` }
}

test('a third of a second of mutations violates no property of a parser', () => {
  const { status, output } = fuzz('--seconds', '0.3')
  expect(status, output).toBe(0)
  expect(output.match(/ 0 findings/g)?.length, output).toBeGreaterThanOrEqual(9)
})

test('the coverage leads to a fault behind three bytes', () => {
  const { status, output } = fuzz('--seconds', '60', '--seed', '1', '--stop', 'crash')
  expect(output).toContain('Error: planted')
  expect(status).toBe(1)
})

test('an input that does not end is a finding', () => {
  const { status, output } = fuzz('--seconds', '60', '--stop', '--hang-ms', '1000', 'hang')
  expect(output).toMatch(/takes longer than 1000 ms\n {2}"!/)
  expect(status).toBe(1)
})
