/** `doctor` on one machine: silent on a sound instance, and one finding with its fix for each planted fault. */

import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkNodeVersion } from '#core/runtime'
import {
  copyInstance,
  diagnose,
  expectFinding,
  FAULTS,
  FAULTS_OF_SQLITE,
  type Instance,
  makeSoundInstance,
} from '#test/planted-faults'
import { run } from '#test/run-cli'

let root: string
/** Each test copies it. */
let sound: Instance
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayfly-faults-'))
  sound = await makeSoundInstance(root)
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('doctor is silent on a sound instance', async () => {
  expect(await diagnose(await copyInstance(sound, root))).toEqual({ bad: [], stderr: '', code: 0 })
})

test('doctor creates no files or folders', async () => {
  const instance = await copyInstance(sound, root)
  const { cwd } = instance
  await rm(join(cwd, 'data/mayfly.db-reserve'), { force: true })
  await rm(join(cwd, 'data/files'), { recursive: true })
  // SQLite creates and deletes its write-ahead log as it needs it.
  const list = async () => (await readdir(cwd, { recursive: true })).filter((path) => !/-(wal|shm)$/.test(path)).sort()
  const before = await list()
  expect((await diagnose(instance)).bad).toEqual([])
  expect(await list()).toEqual(before)
  await mkdir(join(cwd, 'data/files/tmp'), { recursive: true })
  expect((await diagnose(instance, { MAYFLY_PLUGINS: 'audit-file' })).bad).toEqual([])
  expect(await list()).toEqual([...before, 'data/files', 'data/files/tmp'].sort())
})

test.each([...FAULTS, ...FAULTS_OF_SQLITE])('doctor finds: $name', async (fault) =>
  expectFinding(await copyInstance(sound, root), fault),
)

test('--fix repairs the config file and deletes orphaned blobs', async () => {
  const instance = await copyInstance(sound, root)
  const config = join(instance.cwd, 'mayfly.config.json')
  await writeFile(config, JSON.stringify({ instanceKey: 'ab'.repeat(32) }))
  await chmod(config, 0o644)
  await FAULTS.find(({ name }) => name === 'orphaned blob')?.plant?.(instance)
  expect((await diagnose(instance, {}, '--fix')).bad).toEqual([])
  expect((await stat(config)).mode & 0o777).toBe(0o600)
})

test('purge --orphans --dry-run counts what purge --orphans deletes', async () => {
  const instance = await copyInstance(sound, root)
  await FAULTS.find(({ name }) => name === 'orphaned blob')?.plant?.(instance)
  const purge = async (...flags: string[]) => {
    const { stdout } = await run(['purge', '--orphans', '--json', ...flags], instance)
    return JSON.parse(stdout.toString())
  }
  expect(await purge('--dry-run')).toMatchObject({ orphans: 1, dry_run: true })
  expect(await purge()).toMatchObject({ orphans: 1, dry_run: false })
  expect(await purge('--dry-run')).toMatchObject({ orphans: 0 })
})

test('a damaged database is exit code 9 in every command', async () => {
  const instance = await copyInstance(sound, root)
  await writeFile(join(instance.cwd, 'data/mayfly.db'), 'x'.repeat(5000))
  for (const args of [['user', 'list'], ['backup', 'x.tar'], ['migrate', 'status'], ['doctor']]) {
    const { stderr, code } = await run(args, instance)
    expect(code, args.join(' ')).toBe(9)
    expect(stderr).not.toContain('unexpected failure')
  }
})

test('Node.js after its end of life is reported', () => {
  const at = (date: string) => Date.parse(date)
  expect(checkNodeVersion('20.19.0', at('2026-04-29')).level).toBe('ok')
  expect(checkNodeVersion('20.19.0', at('2026-05-02')).level).toBe('warn')
  expect(checkNodeVersion('24.1.0', at('2026-05-02')).level).toBe('ok')
  expect(checkNodeVersion('25.1.0', at('2026-05-02')).level).toBe('warn')
})
