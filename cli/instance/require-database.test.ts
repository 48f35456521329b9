/** Choice of the instance of a command, and commands in the wrong folder. */

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { run } from '#test/run-cli'

const ENV = { MAYFLY_PLUGINS: ',' }

let root: string
/** Folder of an instance with the user anna, a config file and a database. */
let home: string
/** Empty. */
let elsewhere: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayfly-which-'))
  home = join(root, 'instanz-ü')
  await mkdir(home)
  await writeFile(join(home, 'mayfly.config.json'), '{"publicUrl":"https://s.example.org"}')
  expect(await mayfly(['migrate'], home)).toMatchObject({ code: 0 })
  expect(await mayfly(['user', 'add', 'anna', '--email', 'anna@example.org'], home)).toMatchObject({ code: 0 })
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  elsewhere = await mkdtemp(join(root, 'elsewhere-'))
})

async function mayfly(args: string[], cwd: string, env: Record<string, string> = {}) {
  const { stdout, stderr, code } = await run(args, { cwd, env: { ...ENV, ...env } })
  return { stdout: stdout.toString(), stderr, code }
}

describe('without a config file and a database', () => {
  test.each([
    ['user add', ['user', 'add', 'bert', '--email', 'bert@example.org']],
    ['user list', ['user', 'list']],
    ['settings set', ['settings', 'set', 'read_only=true']],
    ['audit', ['audit']],
    ['purge', ['purge']],
    ['backup', ['backup', 'x.tar']],
    ['migrate', ['migrate']],
    ['migrate status', ['migrate', 'status']],
  ])('%s says where it looked and creates nothing', async (_, args) => {
    const { stdout, stderr, code } = await mayfly(args, elsewhere)
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain(`no instance found: no mayfly.config.json in ${elsewhere} and ${elsewhere}/data`)
    expect(stderr).toContain(`no database ${elsewhere}/data/mayfly.db`)
    expect(stderr).toContain('--config FILE, MAYFLY_CONFIG')
    expect(await readdir(elsewhere)).toEqual([])
  })

  test('doctor reports it', async () => {
    const { stdout, code } = await mayfly(['doctor', '--json'], elsewhere)
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ section: 'database', check: 'start', level: 'fail' }),
    )
    expect(code).toBe(9)
    expect(await readdir(elsewhere)).toEqual([])
  })
})

test('a config file whose database is missing is not enough, except for migrate', async () => {
  await writeFile(join(elsewhere, 'mayfly.config.json'), '{"sqlite":{"file":"other.db"}}')
  const missing = await mayfly(['user', 'list'], elsewhere)
  expect(missing).toMatchObject({ stdout: '', code: 2 })
  expect(missing.stderr).toContain(`the database ${elsewhere}/data/other.db does not exist (config: ${elsewhere}/`)
  expect(existsSync(join(elsewhere, 'data'))).toBe(false)
  expect(await mayfly(['migrate'], elsewhere)).toMatchObject({ code: 0 })
  expect(await mayfly(['user', 'list'], elsewhere)).toMatchObject({ stdout: '', code: 0 })
})

test('--config and MAYFLY_CONFIG name an instance from any folder, and stderr shows it', async () => {
  const config = join(home, 'mayfly.config.json')
  const using = `mayfly: using sqlite ${join(home, 'data/mayfly.db')} (config: ${config})\n`
  for (const [args, env] of [
    [['--config', config], {}],
    [['--config', '../instanz-ü/mayfly.config.json'], { MAYFLY_CONFIG: '/nowhere.json' }],
    [[], { MAYFLY_CONFIG: config }],
  ] as [string[], Record<string, string>][]) {
    const { stdout, stderr, code } = await mayfly(['user', 'list', ...args], elsewhere, env)
    expect({ stderr, code }).toEqual({ stderr: using, code: 0 })
    expect(stdout).toMatch(/^anna\t/)
  }
  expect(await readdir(elsewhere)).toEqual([])
  expect(await mayfly(['user', 'list'], elsewhere, { MAYFLY_CONFIG: 'nowhere.json' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere.json does not exist'),
  })
  expect(await mayfly(['setup', '--print', '--no-input'], elsewhere, { MAYFLY_CONFIG: 'new.json' })).toMatchObject({
    code: 0,
  })
})

test('--data-dir by variable names an instance, also without a config file', async () => {
  const env = { MAYFLY_DATA_DIR: join(home, 'data') }
  expect((await mayfly(['user', 'list'], elsewhere, env)).stdout).toMatch(/^anna\t/)
})
