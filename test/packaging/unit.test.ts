/** The unit of systemd, as systemd itself reads it. `.ci/try-unit` runs it. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXIT } from '#cli/lib/cli-error'
import { needs } from '#test/needs'
import { variables } from '#test/setting-variables'
import { ROOT } from '#test/source-files'

const unit = readFileSync(join(ROOT, 'docs/install/mayfly.service'), 'utf8')
const setting = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]
/** In tenths: 0 for a process that can do nothing, 100 for a process that can do everything. */
const MOST_EXPOSED = 15

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-unit-'))
  file = join(folder, 'mayfly.service')
  // Where the program is here, as it has to be there.
  writeFileSync(file, unit.replace('/usr/local/bin/mayfly', process.execPath))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the unit waits for a clean stop and does not restart after a configuration error', () => {
  // Ten seconds for requests that run: see DRAIN_MS of `serve`.
  expect(Number.parseInt(setting('TimeoutStopSec') ?? '', 10)).toBeGreaterThan(10)
  expect(setting('RestartPreventExitStatus')).toBe(`${EXIT.usage} ${EXIT.conflict}`)
  expect(setting('MemoryDenyWriteExecute')).toBeUndefined()
})

test('the unit sets existing settings', () => {
  const known = variables()
  const set = [...unit.matchAll(/\b(MAYFLY_[A-Z0-9_]+)=/g)].map(([, name = '']) => name)
  expect(set.length).toBeGreaterThan(1)
  expect(set.filter((name) => !known.has(name))).toEqual([])
})

test('systemd accepts the units', needs('systemd'), () => {
  for (const name of ['mayfly-backup.service', 'mayfly-backup.timer']) {
    const text = readFileSync(join(ROOT, 'docs/install', name), 'utf8')
    writeFileSync(join(folder, name), text.replaceAll('/usr/local/bin/mayfly', process.execPath))
  }
  const files = [file, join(folder, 'mayfly-backup.service'), join(folder, 'mayfly-backup.timer')]
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' })
  expect(stderr.split('\n').filter((line) => line.includes(folder))).toEqual([])
  expect(status).toBe(0)
})

test('the backup unit makes a backup in its own folder, which a second one does not overwrite', () => {
  const text = readFileSync(join(ROOT, 'docs/install/mayfly-backup.service'), 'utf8')
  const [, script = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(text) ?? []
  const code = script
    .replaceAll('%%', '%')
    .replace('/usr/local/bin/mayfly backup --quiet', 'printf "%s\\n"')
    .replace('exec ', '')
  const { stdout } = spawnSync('sh', ['-c', code], { encoding: 'utf8' })
  expect(stdout).toMatch(/^\/var\/lib\/mayfly-backup\/backup-\d{8}T\d{6}\.tar\n$/)
  expect(text).toMatch(/^StateDirectory=mayfly-backup$/m)
})

test('the unit restricts the privileges of the process', needs('systemd'), () => {
  const args = ['security', '--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`, file]
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).toMatch(/Overall exposure level/)
})
