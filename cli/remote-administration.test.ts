/** Administration over the HTTP API, with tokens of different users and scopes. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '#core'
import { createUser } from '#core/auth/administer-users'
import { createToken } from '#core/auth/api-tokens'
import { LOCAL_CLI, toAuthContext } from '#core/runtime'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

const NOTICE = fileURLToPath(new URL('../test/fixtures/plugins/notice.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mayfly-remote-'))
let server: LocalServer
const tokens: Record<string, string> = {}

async function tokenOf(username: string, scopes?: Scope[]): Promise<string> {
  const user = await server.app.storage.users.find(username)
  if (!user) throw new Error(`no ${username}`)
  const wanted = { name: 'ci', ...(scopes ? { scopes } : {}) }
  return (await createToken(server.app, wanted, toAuthContext(user, { address: null }))).token
}

beforeAll(async () => {
  server = await startLocalServer({ env: { MAYFLY_PLUGINS: NOTICE } })
  for (const [username, role] of [
    ['boss', 'admin'],
    ['anna', 'user'],
  ] as const) {
    const user = { username, role, email: `${username}@example.org`, password: 'correct horse ☃', generated: false }
    await createUser(server.app, user, LOCAL_CLI)
  }
  tokens.boss = await tokenOf('boss')
  tokens.narrow = await tokenOf('boss', ['secrets:create', 'account'])
  tokens.anna = await tokenOf('anna')
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** In an empty folder: a command that used it would fail there. */
const as = (who: string | undefined, args: string[], stdin = '') =>
  run([...args, '--server', server.url], {
    stdin,
    cwd: folder,
    env: { XDG_CONFIG_HOME: folder, ...(who ? { MAYFLY_TOKEN: tokens[who] as string } : {}) },
  })
const json = async (...args: string[]) => JSON.parse((await as('boss', [...args, '--json'])).stdout.toString())

test('users are listed, suspended, locked out and deleted on the server', async () => {
  const zoey = { username: 'zoey', email: 'zoey@example.org', password: 'correct horse ☃', generated: false }
  await createUser(server.app, { ...zoey, role: 'user' }, LOCAL_CLI)
  tokens.zoey = await tokenOf('zoey')
  expect((await json('user', 'list')).map(({ username }: { username: string }) => username)).toEqual([
    'anna',
    'boss',
    'zoey',
  ])
  expect(await json('user', 'list', '--search', 'zoey')).toMatchObject([
    { passkeys: 0, authenticator: false, grace_ends_at: null },
  ])
  const { stdout } = await as('boss', ['user', 'list', '--factors', '--header', '--search', 'zoey'])
  expect(stdout.toString()).toBe(
    'username\trole\tpasskeys\tauthenticator\tgrace_ends_at\tlast_sign_in\nzoey\tuser\t0\tfalse\t-\t-\n',
  )
  expect(await json('user', 'reset-factors', 'zoey')).toEqual({ username: 'zoey', factors_reset: true })
  expect(await json('user', 'suspend', 'zoey')).toEqual({ username: 'zoey', suspended: true })
  expect(await json('user', 'resume', 'zoey')).toEqual({ username: 'zoey', suspended: false })
  const [{ id, name }] = await json('user', 'access', 'zoey')
  expect([id, name]).toEqual([`token:${tokens.zoey.slice(3, 11)}`, 'ci'])
  expect(await json('user', 'lock-out', 'zoey', '--except', id)).toEqual({ username: 'zoey', locked_out: true })
  expect(await json('user', 'revoke', 'zoey', id)).toEqual({ username: 'zoey', revoked: id })
  expect(await json('user', 'access', 'zoey')).toEqual([])
  expect((await as('boss', ['user', 'delete', 'zoey', '--confirm', 'zoey'])).code).toBe(0)
  expect(await server.app.storage.users.find('zoey')).toBeNull()
  expect((await as('boss', ['user', 'delete', 'zoey', '--confirm', 'zoey'])).code).toBe(3)
})

test('settings are read and changed, and the audit log says who did it', async () => {
  expect((await as('boss', ['settings', 'get', 'who_can_create'])).stdout.toString()).toBe('anyone\n')
  expect(await as('boss', ['settings', 'set', 'receipt_reader_details=true'])).toMatchObject({
    stderr: expect.stringContaining('receipt_reader_details: false -> true'),
    code: 0,
  })
  expect((await server.app.settings.current()).receipt_reader_details).toBe(true)
  const [entry] = await json('audit', '--action', 'settings.changed', '--since', '1h')
  expect(entry).toMatchObject({ actor: 'boss', subject: 'receipt_reader_details', detail: { from: false, to: true } })
  expect(await json('audit', '--actor', 'nobody')).toEqual([])
})

test('settings of plugins are read and changed on the server', async () => {
  expect(await as('boss', ['settings', 'set', 'notice.level=warning', 'notice.text=Grüße ☃'])).toMatchObject({
    stderr: `mayfly: using ${server.url}\nmayfly: notice.text: (empty) -> Grüße ☃\nmayfly: notice.level: info -> warning\n`,
    code: 0,
  })
  expect((await as('boss', ['settings', 'get', 'notice.text'])).stdout.toString()).toBe('Grüße ☃\n')
  expect(await (await fetch(`${server.url}/api/v1/notice`)).json()).toEqual({ text: 'Grüße ☃', level: 'warning' })
  expect((await as('boss', ['settings', 'set', 'notice.level=loud'])).code).toBe(2)
})

test('the audit log is exported in whole, as CSV that no spreadsheet runs', async () => {
  const facts = { at: 1_000, action: 'user.changed', actor: '=cmd()', subject: 'a,"b"', address: null }
  const entries = Array.from({ length: 250 }, (_, at) => ({ ...facts, id: `export-${at}`, detail: { to: 'ä' } }))
  await server.app.storage.audit.append(entries)
  const { stdout, code } = await as('boss', ['audit', '--until', '2001-01-01', '--all', '--csv'])
  expect(code).toBe(0)
  const [header, first, ...rest] = stdout.toString().trimEnd().split('\r\n')
  expect(header).toBe('id,at,action,actor,subject,address,detail')
  expect(first).toMatch(/^export-\d+,1970-01-01T00:00:01Z,user\.changed,"'=cmd\(\)","a,""b""",,"\{""to"":""ä""\}"$/)
  expect(rest).toHaveLength(249)
  expect(await json('audit', '--until', '2001-01-01', '--all')).toHaveLength(250)
  expect((await as('boss', ['audit', '--csv', '--json'])).code).toBe(2)
})

test('tokens of a user are listed and revoked', async () => {
  const extra = await tokenOf('anna')
  const listed = await json('user', 'token', 'anna', '--list')
  expect(listed).toHaveLength(2)
  const other = await as('boss', ['user', 'token', 'anna', '--name', 'other', '--revoke'])
  expect(other).toMatchObject({ code: 0, stderr: expect.stringContaining('revoked 0 tokens of anna') })
  expect((await json('user', 'token', 'anna', '--name', 'ci', '--revoke')).revoked).toHaveLength(2)
  const { status } = await fetch(`${server.url}/api/v1/account`, { headers: { authorization: `Bearer ${extra}` } })
  expect(status).toBe(401)
  tokens.anna = await tokenOf('anna')
})

const COMMANDS = [
  ['user', 'list'],
  ['user', 'suspend', 'anna'],
  ['user', 'lock-out', 'anna'],
  ['user', 'reset-factors', 'anna'],
  ['user', 'delete', 'anna', '--confirm', 'anna'],
  ['user', 'token', 'anna', '--list'],
  ['settings', 'list'],
  ['settings', 'set', 'read_only=true'],
  ['audit'],
]

test.each(COMMANDS.map((args) => [args.join(' '), args] as const))(
  '%s needs a token of an administrator with the scope admin',
  async (_, args) => {
    const refused = async (who: string | undefined, hint: string) => {
      const { code, stdout, stderr } = await as(who, args)
      expect({ code, stdout: stdout.toString() }).toEqual({ code: 4, stdout: '' })
      expect(stderr).toContain(hint)
    }
    await refused(undefined, 'mayfly login')
    await refused('anna', 'use a token of an administrator with the scope admin')
    await refused('narrow', 'needs a token with the scope admin')
    expect((await server.app.settings.current()).read_only).toBe(false)
    expect(await server.app.storage.users.find('anna')).toMatchObject({ role: 'user', suspendedAt: null, epoch: 0 })
  },
)

test('passwords, addresses, roles and tokens of other users are refused before anything is sent', async () => {
  for (const args of [
    ['user', 'add', 'zoey', '--email', 'zoey@example.org'],
    ['user', 'role', 'anna', 'admin'],
    ['user', 'email', 'anna', 'zoey@example.org'],
    ['user', 'verify-email', 'anna'],
    ['user', 'passwd', 'anna'],
    ['user', 'token', 'anna'],
    ['user', 'token', 'anna', '--rotate'],
  ]) {
    expect(await as('boss', args)).toMatchObject({ code: 2, stdout: Buffer.alloc(0) })
  }
})

test('a variable chooses no server: without a flag the instance of the folder is used', async () => {
  const env = { MAYFLY_SERVER: server.url, MAYFLY_TOKEN: tokens.boss as string, XDG_CONFIG_HOME: folder }
  expect(await run(['user', 'list'], { env, cwd: folder })).toMatchObject({ code: 2, stdout: Buffer.alloc(0) })
  await run(['config', 'set', '--profile', 'prod', `server=${server.url}`], { env, cwd: folder })
  const listed = await run(['settings', 'list', '--profile', 'prod'], { env, cwd: folder })
  expect(listed).toMatchObject({ code: 0, stderr: `mayfly: using ${server.url}\n` })
})
