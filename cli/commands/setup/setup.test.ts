/**
 * `mayfly setup` by flags and by variables, the first time and again. Nothing is written when something does not work.
 */

import { existsSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startLocalServer } from '#test/local-server'
import { ADMIN_FLAGS, registerSetupFolder } from '#test/setup-folder'

const NOTHING = Buffer.alloc(0)

const { path, setup, config } = registerSetupFolder()
const isEmpty = () => !existsSync(path('data')) && !existsSync(path('mayfly.config.json'))

async function signIn(username: string, password: string): Promise<number> {
  const server = await startLocalServer({ dataDir: path('data') })
  const body = JSON.stringify({ username, password })
  const headers = { 'content-type': 'application/json', origin: server.url }
  const { status } = await fetch(`${server.url}/api/v1/authentication/signin`, { method: 'POST', headers, body })
  await server.stop()
  return status
}

test('setup with flags creates config, schema and administrator, and prints the generated password', async () => {
  const flags = ['--no-input', '--public-url', 'https://s.example.org', ...ADMIN_FLAGS, '--generate-admin-password']
  const { stdout, stderr, code } = await setup(flags)
  expect(code).toBe(0)
  expect(stdout.toString()).toMatch(/^[\w-]{20}\n$/)
  expect(stderr).toContain(`using sqlite ${path('data/mayfly.db')}, a new database\n`)
  expect(stderr).toContain('test secret created, opened and gone')
  expect(stderr).not.toContain(stdout.toString().trim())
  expect(await config()).toEqual({ publicUrl: 'https://s.example.org' })
  expect((await stat(path('mayfly.config.json'))).mode & 0o777).toBe(0o600)
  expect(await signIn('admin', stdout.toString().trim())).toBe(200)
  expect(await signIn('admin', 'another password')).toBe(401)
})

test('a second setup changes only the given settings, and exits with 8 for a second administrator', async () => {
  await writeFile(path('password'), 'correct horse 4711\n')
  await setup(['--no-input', '--port', '8080', ...ADMIN_FLAGS, '--admin-password-file', 'password'])
  const more = ['--public-url', 'https://s.example.org', '--admin-username', 'other', '--admin-email', 'o@example.org']
  const { stdout, stderr, code } = await setup(['--no-input', ...more, '--generate-admin-password'])
  expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 8 })
  expect(stderr).toContain('error: another administrator exists already, so other was not created')
  expect(stderr).toContain('hint: create it with: mayfly user add other --email o@example.org --role admin')
  expect(stderr).toContain('schema up to date')
  const same = await setup(['--no-input', ...ADMIN_FLAGS, '--admin-password-file', 'password'])
  expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining('an administrator exists already') })
  expect(await config()).toEqual({ port: 8080, publicUrl: 'https://s.example.org' })
  expect(await signIn('admin', 'correct horse 4711')).toBe(200)
  await setup(['--no-input', '--force', '--port', '9090'])
  expect(await config()).toEqual({ port: 9090 })
})

test('setup writes values of variables, but not the content of _FILE variables', async () => {
  await writeFile(path('password'), 'correct horse 4711\n')
  await writeFile(path('host'), '127.0.0.1\n')
  const admin = {
    MAYFLY_ADMIN_USERNAME: 'admin',
    MAYFLY_ADMIN_EMAIL: 'a@example.org',
    MAYFLY_ADMIN_PASSWORD_FILE: 'password',
  }
  const env = { ...admin, MAYFLY_PORT: '8081', MAYFLY_HOST_FILE: 'host', MAYFLY_NO_INPUT: '1' }
  const { stdout, code } = await setup(['--json'], env)
  expect(code).toBe(0)
  expect(JSON.parse(stdout.toString())).toMatchObject({ storage: 'sqlite', admin: 'made', tried: true })
  expect(await config()).toEqual({ port: 8081 })
})

test('--print and --dry-run write nothing', async () => {
  const flags = ['--no-input', '--port', '8080', '--set', 'sqlite.file=x.db']
  const printed = await setup([...flags, '--print'])
  expect(JSON.parse(printed.stdout.toString())).toEqual({ port: 8080, sqlite: { file: 'x.db' } })
  const dry = await setup([...flags, '--dry-run'])
  expect({ stdout: dry.stdout, code: dry.code }).toEqual({ stdout: NOTHING, code: 0 })
  expect(dry.stderr).toContain('would write mayfly.config.json')
  expect(isEmpty()).toBe(true)
})

test('setup prints the usual causes of a failed check and writes nothing', async () => {
  const database = await setup(['--no-input', '--database-url', 'postgres://u:hunter2@127.0.0.1:1/x'])
  expect(database).toMatchObject({ code: 6, stdout: NOTHING })
  expect(database.stderr).toMatch(
    /^mayfly: error: .*does not answer.*\nmayfly: hint: check host and port of the database/,
  )
  const tries: [flags: string[], code: number][] = [
    [['--database-url', 'mysql:hunter2'], 2],
    [['--admin-username', 'admin'], 2],
    [[...ADMIN_FLAGS], 2],
    [['--admin-username', 'ad', '--admin-email', 'a@example.org', '--generate-admin-password'], 2],
    [['--admin-username', 'admin', '--admin-email', 'hunter2', '--generate-admin-password'], 2],
    [['--set', 'nonsense=1'], 2],
    [['--storage', 's3'], 2],
    [['--storage', 'nowhere'], 2],
  ]
  for (const [flags, expected] of tries) {
    const { stdout, stderr, code } = await setup(['--no-input', ...flags])
    expect({ stdout, code }, flags.join(' ')).toEqual({ stdout: NOTHING, code: expected })
    expect(stderr).not.toContain('hunter2')
  }
  expect(existsSync(path('mayfly.config.json'))).toBe(false)
  await mkdir(path('data'), { recursive: true })
  await writeFile(path('data/files'), 'no folder')
  const store = await setup(['--no-input'])
  expect(store).toMatchObject({ code: 6, stdout: NOTHING })
  expect(existsSync(path('mayfly.config.json'))).toBe(false)
})

test('setup sets instance settings and skips the test secret on a read-only instance', async () => {
  const flags = ['--no-input', '--read-only', '--disable-signup', '--org-email-domain', 'example.org']
  expect((await setup(flags)).code).toBe(0)
  expect((await setup(flags)).stderr).toContain('no test secret was created')
  const server = await startLocalServer({ dataDir: path('data') })
  const settings = await (await fetch(`${server.url}/api/v1/settings`)).json()
  await server.stop()
  expect(settings).toMatchObject({ read_only: true, disable_user_account_creation: true })
})
