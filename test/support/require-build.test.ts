/** A run of tests compares the build with its sources as `npm test` does before it builds. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'mayfly-build-☃-'))
  cpSync(join(import.meta.dirname, '../../scripts/ensure-build.mjs'), join(root, 'scripts/ensure-build.mjs'))
  for (const folder of ['core/lib', 'dist']) mkdirSync(join(root, folder), { recursive: true })
})
afterAll(() => rmSync(root, { recursive: true }))

/** `at`: seconds after a fixed time. */
function change(path: string, at: number): void {
  writeFileSync(join(root, path), '')
  setTime(path, at)
}
function setTime(path: string, at: number): void {
  const time = Date.UTC(2026, 0) / 1000 + at
  utimesSync(join(root, path), time, time)
}
function check(): number | null {
  // Only changes of the test count.
  for (const path of ['core', 'core/lib', 'scripts', 'scripts/ensure-build.mjs']) setTime(path, 0)
  return spawnSync(process.execPath, [join(root, 'scripts/ensure-build.mjs'), '--check']).status
}

test('ensure-build --check exits with 1 when the build is missing or older than a source', () => {
  change('core/lib/größe.ts', 1)
  expect(check()).toBe(1)
  change('dist/.built', 2)
  expect(check()).toBe(0)
  change('core/lib/größe.test.ts', 3)
  change('core/README.md', 3)
  expect(check()).toBe(0)
  change('core/lib/größe.ts', 4)
  expect(check()).toBe(1)
  change('dist/.built', 5)
  expect(check()).toBe(0)
})
