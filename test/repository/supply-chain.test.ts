/** Packages and actions of CI cannot change without a commit. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '#test/source-files'

const WORKFLOWS = join(ROOT, '.github/workflows')
interface Locked {
  integrity?: string
  resolved?: string
}

test('package-lock.json has a SHA-512 for every package, of every platform, and no URL', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const locked = Object.entries(packages).filter(([path]) => path !== '')
  expect(locked.length).toBeGreaterThan(100)
  expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
})

test.each(readdirSync(WORKFLOWS))('%s names every action by its commit', (file) => {
  const text = readFileSync(join(WORKFLOWS, file), 'utf8')
  const { jobs } = parse(text) as { jobs: Record<string, { steps: { uses?: string }[] }> }
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((name) => !/@[0-9a-f]{40}$/.test(name))).toEqual([])
})
