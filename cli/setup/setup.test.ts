/** `mayfly setup`: by flags, by variables, in a dialogue, and again; what does not work is told before anything is written. */

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { makeBucket } from '#test/s3'
import { run, shell, terminal } from '#test/spawn-cli'
import { startServer } from '#test/start-server'

const NOTHING = Buffer.alloc(0)
const ADMIN = ['--admin-username', 'admin', '--admin-email', 'admin@example.org']
const ENTER = '\r'
const DOWN = '\x1b[B'

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 })

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mayfly-setup-'))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const setup = (flags: string[], env: Record<string, string> = {}) => run(['setup', ...flags], { cwd, env })
const config = async () => JSON.parse(await readFile(join(cwd, 'mayfly.config.json'), 'utf8'))
const isEmpty = () => !existsSync(join(cwd, 'data')) && !existsSync(join(cwd, 'mayfly.config.json'))

async function signIn(username: string, password: string): Promise<number> {
  const server = await startServer({ dataDir: join(cwd, 'data'), env: { MAYFLY_PLUGINS: ',' } })
  const body = JSON.stringify({ username, password })
  const headers = { 'content-type': 'application/json', origin: server.url }
  const { status } = await fetch(`${server.url}/api/v1/authentication/signin`, { method: 'POST', headers, body })
  await server.stop()
  return status
}

test('with flags alone: config, schema, administrator, a secret; stdout is the generated password', async () => {
  const flags = ['--no-input', '--public-url', 'https://s.example.org', ...ADMIN, '--generate-admin-password']
  const { stdout, stderr, code } = await setup(flags)
  expect(code).toBe(0)
  expect(stdout.toString()).toMatch(/^[\w-]{20}\n$/)
  expect(stderr).toContain('a secret was made, opened and is gone')
  expect(stderr).not.toContain(stdout.toString().trim())
  expect(await config()).toEqual({ publicUrl: 'https://s.example.org' })
  expect((await stat(join(cwd, 'mayfly.config.json'))).mode & 0o777).toBe(0o600)
  expect(await signIn('admin', stdout.toString().trim())).toBe(200)
  expect(await signIn('admin', 'another password')).toBe(401)
})

test('again it changes what it is told and nothing else; there is one administrator', async () => {
  await writeFile(join(cwd, 'password'), 'correct horse 4711\n')
  await setup(['--no-input', '--port', '8080', ...ADMIN, '--admin-password-file', 'password'])
  const more = ['--public-url', 'https://s.example.org', '--admin-username', 'other', '--admin-email', 'o@example.org']
  const { stdout, stderr, code } = await setup(['--no-input', ...more, '--generate-admin-password'])
  expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 0 })
  expect(stderr).toContain('there is an administrator already')
  expect(stderr).toContain('schema up to date')
  expect(await config()).toEqual({ port: 8080, publicUrl: 'https://s.example.org' })
  expect(await signIn('admin', 'correct horse 4711')).toBe(200)
  await setup(['--no-input', '--force', '--port', '9090'])
  expect(await config()).toEqual({ port: 9090 })
})

test('from the environment alone; what a variable says is written, what it points to is not', async () => {
  await writeFile(join(cwd, 'password'), 'correct horse 4711\n')
  await writeFile(join(cwd, 'host'), '127.0.0.1\n')
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

test('what does not work is told with its usual causes, and nothing is written', async () => {
  const database = await setup(['--no-input', '--database-url', 'postgres://u:hunter2@127.0.0.1:1/x'])
  expect(database).toMatchObject({ code: 6, stdout: NOTHING })
  expect(database.stderr).toMatch(/^mayfly: error: .*does not answer.*\nmayfly: hint: usual causes: /)
  const tries: [flags: string[], code: number][] = [
    [['--database-url', 'mysql:hunter2'], 2],
    [['--admin-username', 'admin'], 2],
    [[...ADMIN], 2],
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
  expect(existsSync(join(cwd, 'mayfly.config.json'))).toBe(false)
  await mkdir(join(cwd, 'data'), { recursive: true })
  await writeFile(join(cwd, 'data/files'), 'no folder')
  const store = await setup(['--no-input'])
  expect(store).toMatchObject({ code: 6, stdout: NOTHING })
  expect(existsSync(join(cwd, 'mayfly.config.json'))).toBe(false)
})

test('settings of the instance are set; one that is read-only is not tried', async () => {
  const flags = ['--no-input', '--read-only', '--disable-signup', '--org-email-domain', 'example.org']
  expect((await setup(flags)).code).toBe(0)
  expect((await setup(flags)).stderr).toContain('no secret was tried')
  const server = await startServer({ dataDir: join(cwd, 'data'), env: { MAYFLY_PLUGINS: ',' } })
  const settings = await (await fetch(`${server.url}/api/v1/settings`)).json()
  await server.stop()
  expect(settings).toMatchObject({ read_only: true, disable_user_account_creation: true })
})

const SERVERS = ['postgres', 'mysql'] as const
describe.each(SERVERS)('with %s and a bucket of S3', needs('postgres', 'mysql', 's3'), (engine) => {
  test('it works, works again, and as the command that it tells, in an empty folder and without its variables', async () => {
    const [database, bucket] = [await makeDatabase(engine), await makeBucket()]
    const secrets = {
      MAYFLY_DATABASE_URL: database.options.url as string,
      MAYFLY_S3_SECRET_ACCESS_KEY: bucket.options().secretAccessKey,
    }
    const env = { ...bucket.env(), ...secrets, MAYFLY_PLUGINS: ',' }
    const first = await setup(['--no-input', ...ADMIN, '--generate-admin-password'], env)
    expect(first.code, first.stderr).toBe(0)
    expect(first.stdout.toString()).toMatch(/^[\w-]{20}\n$/)
    expect(first.stderr).toContain('a secret was made, opened and is gone')
    const written = await config()
    expect(written).toMatchObject({ databaseUrl: database.options.url, files: 's3', s3: { bucket: bucket.bucket } })
    expect(written).not.toHaveProperty(engine)

    const again = await setup(['--no-input'])
    expect(again).toMatchObject({ code: 0, stdout: NOTHING, stderr: expect.stringContaining('schema up to date') })
    expect(await config()).toEqual(written)

    const [command = ''] = /mayfly setup --no-input .*/.exec(first.stderr) ?? []
    const other = join(cwd, 'other')
    await mkdir(other)
    expect((await shell(command, { cwd: other })).stderr).toContain('MAYFLY_')
    const told = await shell(command, { cwd: other, env: secrets })
    expect(told).toMatchObject({
      code: 0,
      stdout: NOTHING,
      stderr: expect.stringContaining('an administrator already'),
    })
    expect(JSON.parse(await readFile(join(other, 'mayfly.config.json'), 'utf8'))).toEqual(written)

    expect(await bucket.objects()).toEqual([])
    expect([existsSync(join(cwd, 'data')), existsSync(join(other, 'data'))]).toEqual([false, false])
    await Promise.all([database.drop(), bucket.drop()])
  })

  test('neither a server nor doctor makes a folder that nothing is kept in', async () => {
    const [database, bucket] = [await makeDatabase(engine), await makeBucket()]
    const dataDir = join(cwd, 'nothing')
    const env = { ...bucket.env(), ...database.env, MAYFLY_PLUGINS: ',', MAYFLY_DATA_DIR: dataDir }
    const server = await startServer({ dataDir: cwd, env })
    const look = await run(['doctor', '--section', 'disk', 'files'], { cwd, env })
    await server.stop()
    expect(look.code, look.stderr).toBe(0)
    expect(existsSync(dataDir)).toBe(false)
    await Promise.all([database.drop(), bucket.drop()])
  })
})

describe('on a terminal', needs('script'), () => {
  test('asks, goes back to what does not work, and tells how to do the same without questions', async () => {
    const tty = terminal('mayfly setup', { cwd })
    await tty.sees(/Where are secrets kept\?/)
    tty.types(DOWN + ENTER)
    await tty.sees(/Address, without the password:/)
    tty.types(`postgres://u@127.0.0.1:1/x${ENTER}`)
    await tty.sees(/Password of the database/)
    tty.types(`hunter2${ENTER}`)
    await tty.sees(/error:.*does not answer/)
    await tty.sees(/(mayfly: hint: .*\r\n){3}/)
    await tty.sees(/Where are secrets kept\?/)
    tty.types(ENTER)
    await tty.sees(/ok: sqlite data\/mayfly\.db/)
    await tty.sees(/Where will people reach it\?/)
    tty.types(`https://s.example.org${ENTER}`)
    await tty.sees(/Where are files kept\?/)
    tty.types(ENTER)
    await tty.sees(/ok: local-files data\/files/)
    await tty.sees(/Make the first administrator now\?/)
    tty.types(ENTER)
    await tty.sees(/user name:/)
    tty.types(ENTER)
    await tty.sees(/e-mail address:/)
    tty.types(`admin@example.org${ENTER}`)
    await tty.sees(/Make a password for them\?/)
    tty.types(ENTER)
    await tty.sees(/May people make accounts themselves\?/)
    tty.types(`n${ENTER}`)
    await tty.sees(/Write the config, create the tables, make the administrator\?/)
    tty.types(ENTER)
    await tty.sees(/it works/)
    const command = await tty.sees(/mayfly setup --no-input [^\r]*/)
    expect(await tty.ended).toBe(0)
    expect(command).toContain('--generate-admin-password --disable-signup')
    expect(tty.screen()).not.toContain('hunter2')
    expect(await config()).toEqual({ publicUrl: 'https://s.example.org' })
    await rm(join(cwd, 'data'), { recursive: true })
    await rm(join(cwd, 'mayfly.config.json'))
    const { stdout, code } = await shell(command, { cwd })
    expect(code).toBe(0)
    expect(stdout.toString()).toMatch(/^[\w-]{20}\n$/)
    expect(await config()).toEqual({ publicUrl: 'https://s.example.org' })
  })

  test('asks for a bucket, and goes back when it is named the wrong way', needs('s3'), async () => {
    const bucket = await makeBucket()
    const { endpoint, accessKeyId, secretAccessKey } = bucket.options()
    const tty = terminal('mayfly setup', { cwd })
    for (const question of [/Where are secrets kept\?/, /Where will people reach it\?/]) {
      await tty.sees(question)
      tty.types(ENTER)
    }
    for (const asPath of ['n', 'y']) {
      const answers: [question: RegExp, answer: string][] = [
        [/Where are files kept\?/, DOWN],
        // By a name: of an IP address no bucket is ever a part.
        [/Address of the server/, endpoint.replace('127.0.0.1', 'localhost')],
        [/Name the bucket in the path/, asPath],
        [/Region:/, ''],
        [/Bucket:/, bucket.bucket],
        [/Access key/, accessKeyId],
        [/Its secret:/, secretAccessKey],
      ]
      for (const [question, answer] of answers) {
        await tty.sees(question)
        tty.types(answer + ENTER)
      }
      await tty.sees(asPath === 'n' ? /hint: endpoint, region or s3\.pathStyle are wrong/ : /ok: s3 /)
    }
    for (const [question, answer] of [
      [/Make the first administrator now\?/, 'n'],
      [/May people make accounts themselves\?/, ''],
      [/Write the config, create the tables/, ''],
    ] as const) {
      await tty.sees(question)
      tty.types(answer + ENTER)
    }
    await tty.sees(/it works/)
    const command = await tty.sees(/mayfly setup --no-input [^\r]*/)
    expect(await tty.ended).toBe(0)
    expect(command).toContain('--set s3.pathStyle=true')
    expect(tty.screen()).not.toContain(secretAccessKey)
    const { endpoint: _, ...kept } = (await config()).s3
    expect(kept).toEqual({
      pathStyle: true,
      region: 'us-east-1',
      bucket: bucket.bucket,
      accessKeyId,
      secretAccessKey,
    })
    expect(await bucket.objects()).toEqual([])
    await bucket.drop()
  })

  test('Ctrl-C and no write nothing: 130', async () => {
    const tty = terminal('mayfly setup', { cwd })
    await tty.sees(/Where are secrets kept\?/)
    tty.types('\x03')
    expect(await tty.ended).toBe(130)
    expect(existsSync(join(cwd, 'mayfly.config.json'))).toBe(false)
  })
})
