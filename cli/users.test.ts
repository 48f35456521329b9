/** `mayfly user`, `settings` and `audit`, with the server stopped or running. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readJournal } from '#core/backup'
import type { Plugin } from '#core/runtime'
import { openStorage } from '#core/testing'
import { builtIns } from '#plugins'
import { startLocalServer } from '#test/local-server'
import { MEMORY_ENV } from '#test/memory-plugin'
import { createInstanceFolder, type InstanceFolder, PASSPHRASE, USER_COMMAND_ENV } from '#test/user-commands'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

let instance: InstanceFolder
beforeEach(async () => {
  instance = await createInstanceFolder()
})
afterEach(() => instance.remove())

const using = () => `mayfly: using sqlite ${join(instance.folder, 'data/mayfly.db')}\n`

const ENV = USER_COMMAND_ENV
const mayfly: InstanceFolder['mayfly'] = (...args) => instance.mayfly(...args)
const json = async (...args: string[]) => JSON.parse((await mayfly([...args, '--json'])).stdout)
const add = (name: string, ...more: string[]) =>
  mayfly(['user', 'add', name, '--email', `${name}@example.org`, ...more])
const audited = async (...filter: string[]) =>
  (await json('audit', ...filter)).map((entry: Record<string, unknown>) => [entry.action, entry.actor, entry.subject])

describe('user add', () => {
  test('prints only the generated password, and nothing on errors', async () => {
    const made = await add('root', '--role', 'admin')
    expect(made.stdout).toMatch(new RegExp(`^${PASSPHRASE}\n$`))
    expect(made).toMatchObject({ stderr: `${using()}mayfly: added root as an administrator\n`, code: 0 })
    expect(await add('root')).toEqual({
      stdout: '',
      stderr: `${using()}mayfly: error: this username is taken\n`,
      code: 8,
    })
    for (const refused of [
      ['user', 'add', 'x', '--email', 'x@example.org'],
      ['user', 'add', 'anna'],
      ['user', 'add', 'anna', '--email', 'nowhere'],
      ['user', 'add', 'anna', 'bert', '--email', 'a@example.org'],
      ['user', 'add', 'anna', '--email', 'a@example.org', '--role', 'king'],
      ['user', 'add', 'anna', '--from', 'x'],
      ['user', 'add', '--from', 'nowhere.csv'],
      ['user', 'add', '--email', 'a@example.org'],
    ]) {
      expect(await mayfly(refused)).toMatchObject({ stdout: '', code: 2 })
    }
    expect((await mayfly(['user', 'list'])).stdout).toMatch(/^root\troot@example.org\tadmin\t0\t\S+Z\t-\t-\t-\n$/)
    expect(await audited()).toEqual([['user.created', '(shell)', 'root']])
  })

  test('checks a given password and does not print it', async () => {
    await writeFile(join(instance.folder, 'pw'), 'correct horse battery\n')
    await writeFile(join(instance.folder, 'short'), 'short12345\n')
    expect(await add('root', '--role', 'admin', '--password-file', 'short')).toMatchObject({ stdout: '', code: 2 })
    const made = await add('root', '--role', 'admin', '--password-file', 'pw', '--no-must-change')
    expect(made).toMatchObject({ stdout: '', code: 0 })
    expect(await json('user', 'list')).toMatchObject([{ username: 'root', must_change_password: false }])
    const fromStdin = ['user', 'add', 'anna', '--email', 'anna@example.org', '--password-fd', '0', '--json']
    expect(JSON.parse((await mayfly(fromStdin, 'another good one')).stdout)).toEqual({
      username: 'anna',
      email: 'anna@example.org',
      role: 'user',
    })
    expect(await add('bert', '--password')).toMatchObject({ stdout: '', code: 2 })
    expect(await add('bert', '--password-file', 'pw', '--generate')).toMatchObject({ stdout: '', code: 2 })
    expect((await mayfly(['user', 'add', 'bert', '--password=x'])).stderr).toContain('--password takes no value')
  })

  test('a user name that cannot exist is reported as the user name', async () => {
    for (const command of [
      ['token', 'bob'],
      ['passwd', 'bob'],
      ['delete', 'bob', '--confirm', 'bob'],
      ['role', 'bob', 'admin'],
      ['add', 'bob', '--email', 'bob@example.org'],
    ]) {
      const { stderr, code } = await mayfly(['user', ...command])
      expect({ stderr, code }).toEqual({
        stderr: expect.stringMatching(/^mayfly: error: the user name: must be 4 to 20 /m),
        code: 2,
      })
    }
  })

  test('--if-missing does not change an existing user', async () => {
    expect((await add('robot', '--if-missing')).stdout).not.toBe('')
    expect(await add('robot', '--if-missing')).toEqual({
      stdout: '',
      stderr: `${using()}mayfly: robot exists already\n`,
      code: 0,
    })
    expect(await add('robot', '--if-missing', '--role', 'admin')).toMatchObject({ stdout: '', code: 8 })
  })

  test('--send-link without a public URL adds no user', async () => {
    const add = ['user', 'add', 'anna', '--email', 'a@example.org', '--send-link']
    const refused = await mayfly(add, '', { MAYFLY_PLUGINS: ',' })
    expect(refused).toMatchObject({
      stdout: '',
      code: 2,
      stderr: expect.stringContaining('hint: set MAYFLY_PUBLIC_URL'),
    })
    expect(await json('user', 'list')).toEqual([])
  })

  test.each([
    [
      'quotes, a header in another order and CR LF',
      '\ufeff"Role","E-mail address","User name"\r\nadmin,"Bert@Example.org",bert\r\n,anna@example.org,"anna"\r\n',
    ],
    [
      'semicolons, empty rows and a comment',
      ';;\n# "the; team"\nbert;bert@example.org;admin\n\n"anna" ; anna@example.org;\n;;\n',
    ],
    ['tabs and a header without roles', 'login\tmail\nbert\tbert@example.org\nanna\tanna@example.org\n'],
  ])('--from reads CSV with %s', async (_, list) => {
    const made = await mayfly(['user', 'add', '--from', '-'], list)
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('added 2 of 2') })
    const role = list.includes('admin') ? 'admin' : 'user'
    expect(await json('user', 'list')).toMatchObject([
      { username: 'anna', email: 'anna@example.org', role: 'user' },
      { username: 'bert', email: 'bert@example.org', role },
    ])
  })

  test('--from names line and column of every mistake, and adds no user', async () => {
    const list = [
      [
        'username,email,role',
        'anna,anna@example.org,user',
        'x,"nowhere",king',
        '# a comment',
        '"bert',
        '",bert@example.org',
      ],
      ['carl', 'dora,anna@example.org', 'erik,erik@example.org,user,42'],
    ]
    const made = await mayfly(['user', 'add', '--from', '-'], list.flat().join('\n'))
    expect(made).toMatchObject({ stdout: '', code: 2 })
    const lines = made.stderr.split('\n').filter((line) => line.includes('--from'))
    expect(lines.map((line) => line.replace(/^.*--from: /, '').replace(/:.*/, ''))).toEqual([
      'line 3, column 1 (username)',
      'line 3, column 2 (email)',
      'line 3, column 3 (role)',
      'line 7, column 2 (email)',
      'line 8, column 2 (email)',
      'line 9, column 4',
    ])
    expect(lines[4]).toContain('anna@example.org is in line 2 already')
    expect(await json('user', 'list')).toEqual([])
  })

  test('--from --skip-invalid leaves out lines with mistakes and names them', async () => {
    const list = 'email;username\nanna@example.org;anna\nnowhere;carl\nbert@example.org;bert\nanna@example.org;dora\n'
    const made = await mayfly(['user', 'add', '--from', '-', '--skip-invalid'], list)
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('added 2 of 2') })
    expect(made.stderr).toMatch(/line 3, column 1 \(email\): .*; the line is left out/)
    expect(made.stderr).toMatch(/line 5, column 1 \(email\): anna@example.org is in line 2 already; the line/)
    expect((await json('user', 'list')).map(({ username }: { username: string }) => username)).toEqual(['anna', 'bert'])
    expect(await mayfly(['user', 'add', '--from', '-', '--skip-invalid'], 'x,y\n')).toMatchObject({ code: 2 })
    const single = ['user', 'add', 'erik', '--email', 'e@example.org', '--skip-invalid']
    expect(await mayfly(single)).toMatchObject({ code: 2 })
  })

  test.each([
    [
      'username,phone\nanna,7\n',
      /line 1, column 2: "phone" is not a column of users\n.*line 1: the column email is missing/,
    ],
    ['username,email,login\nanna,a@example.org,x\n', /line 1, column 3: the column username appears twice/],
    ['anna,anna@example.org\n"bert,bert@example.org\n', /line 2: quoted field unterminated/],
    ['anna\n', /line 1, column 2 \(email\): is missing/],
    ['# comment\n\n', /the list is empty/],
    [Buffer.from('anna,\xe4nna@example.org', 'latin1'), /not UTF-8/],
  ])('--from refuses %j', async (list, message) => {
    expect(await mayfly(['user', 'add', '--from', '-'], list)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    })
  })

  test('--from reads a list of 16,000 lines in time that grows with its length', async () => {
    const list = Array.from({ length: 16_000 }, (_, at) => `user${at},user${at}@example.org`).join('\n')
    const made = await mayfly(['user', 'add', '--from', '-'], `${list}\nx,y\n`)
    expect(made.stderr).toContain('line 16001, column 1 (username)')
  })

  test('--from --send-link prints a one-time link per user, and exits with 8 if one failed', async () => {
    const server = await startLocalServer({ dataDir: join(instance.folder, 'data') })
    const env = { ...ENV, MAYFLY_PUBLIC_URL: server.url }
    await mayfly(['user', 'add', 'taken', '--email', 'taken@example.org'], '', env)
    const list =
      'username,email,role\r\n# the team\nanna,anna@example.org\nbert , Bert@Example.org,admin\n\ntaken,x@example.org\n'
    await writeFile(join(instance.folder, 'team.csv'), list)
    const made = await mayfly(['user', 'add', '--from', 'team.csv', '--send-link'], '', env)
    expect(made.code).toBe(8)
    const [anna, bert, x, ...others] = made.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(others).toEqual([])
    expect(anna).toEqual({ username: 'anna', email: 'anna@example.org', role: 'user', link: expect.any(String) })
    expect(bert).toMatchObject({ email: 'bert@example.org', role: 'admin', link: expect.any(String) })
    expect(x).toEqual({ username: 'taken', error: { code: 'conflict', message: expect.any(String), exit: 8 } })
    expect(made.stderr).toContain('added 2 of 3')

    const passwords: string[] = []
    for (const { username, role, link } of [anna, bert]) {
      const read = await mayfly(['secret', 'read', '-'], link, {})
      expect(read.stdout).toMatch(
        new RegExp(`^Sign in at ${server.url}\n\nUser name: ${username}\nPassword: ${PASSPHRASE}\n$`),
      )
      expect((await mayfly(['secret', 'read', '-'], link, {})).code).toBe(3)
      const [, password = ''] = /^Password: (.*)$/m.exec(read.stdout) ?? []
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
      const body = JSON.stringify({ username, password })
      const signIn = await fetch(`${server.url}/api/v1/authentication/signin`, { method: 'POST', headers, body })
      expect(signIn.status).toBe(200)
      const cookie = signIn.headers.getSetCookie().join('; ')
      const verified = await fetch(`${server.url}/api/v1/authentication/verify`, { headers: { ...headers, cookie } })
      expect(await verified.json()).toEqual({ username, role, generated: true })
      passwords.push(password)
    }
    expect(new Set(passwords).size).toBe(2)
    await server.stop()
    // Only stdout contains the key.
    for (const { link } of [anna, bert]) expect(made.stderr + server.log()).not.toContain(link.split('#')[1])
    for (const password of passwords) expect(made.stderr + server.log()).not.toContain(password)
  })
})

describe('user commands', () => {
  test('user delete records the user in the tombstone journal', async () => {
    const env = { ...ENV, MAYFLY_PLUGINS: 'tombstones' }
    await add('anna')
    const { storage, close } = await openStorage((await builtIns.sqlite()).default as Plugin, {
      dataDir: join(instance.folder, 'data'),
    })
    const id = (await storage.users.find('anna'))?.id ?? ''
    await close()
    expect((await mayfly(['user', 'delete', 'anna', '--confirm', 'anna'], '', env)).code).toBe(0)
    const journal = await readJournal(join(instance.folder, 'data/tombstones'))
    expect([journal.isUserGone(id), journal.isUserGone('anna')]).toEqual([true, false])
  })

  test('user list filters and pages, as lines and as JSON', async () => {
    for (const name of ['anna', 'bert', 'carl']) await add(name)
    await mayfly(['user', 'role', 'bert', 'admin'])
    const names = async (...flags: string[]) =>
      (await mayfly(['user', 'list', ...flags])).stdout.split('\n').map((line) => line.split('\t')[0])
    expect(await names()).toEqual(['anna', 'bert', 'carl', ''])
    expect(await names('--role', 'admin')).toEqual(['bert', ''])
    expect(await names('--search', 'AR')).toEqual(['carl', ''])
    expect(await names('--search', '%')).toEqual([''])
    expect(await names('--skip', '1', '--take', '1')).toEqual(['bert', ''])
    expect(await names('--take', '1', '--all')).toEqual(['anna', 'bert', 'carl', ''])
    expect(await names('--header', '--take', '1')).toEqual(['username', 'anna', ''])
    for (const take of ['0', '101', 'x']) expect((await mayfly(['user', 'list', '--take', take])).code).toBe(2)
    expect((await json('user', 'list'))[0]).toEqual({
      username: 'anna',
      email: 'anna@example.org',
      role: 'user',
      groups: [],
      secrets: 0,
      must_change_password: true,
      email_verified: null,
      created_at: expect.stringMatching(ISO),
      last_sign_in: null,
      passkeys: 0,
      authenticator: false,
      grace_ends_at: null,
      suspended_at: null,
    })
  })

  test('user groups sets and prints groups, which settings explain shows with their origin', async () => {
    await add('anna', '--group', 'für ☃', 'Sales')
    expect((await mayfly(['user', 'groups', 'anna'])).stdout).toBe('Sales\nfür ☃\n')
    expect(await mayfly(['user', 'groups', 'anna', 'Ops', 'a, b'])).toEqual({
      stdout: '',
      stderr: `${using()}mayfly: groups of anna: Ops, a, b\n`,
      code: 0,
    })
    await mayfly(['settings', 'policy', 'group:Ops', 'maxViews=5'])
    expect((await mayfly(['settings', 'explain', 'anna'])).stdout).toMatch(
      /^group\tOps\tadministrator\ngroup\ta, b\tadministrator\n.*\nmaxViews\t5\tgroup:Ops\n/s,
    )
    expect(await json('user', 'list')).toMatchObject([{ username: 'anna', groups: ['Ops', 'a, b'] }])
    expect(await json('user', 'groups', 'anna', '--none')).toEqual({ username: 'anna', groups: [] })
    expect((await mayfly(['user', 'groups', 'anna'])).stdout).toBe('')
    for (const [words, code] of [
      [['anna', 'x', '--none'], 2],
      [['anna', 'ä'.repeat(101)], 2],
      [['unknown'], 3],
      [[], 2],
    ] as const) {
      expect(await mayfly(['user', 'groups', ...words])).toMatchObject({ stdout: '', code })
    }
  })

  test('simultaneous changes of policies are all stored', async () => {
    await mayfly(['migrate'])
    const audiences = ['visitors', 'users', 'administrators', 'group:für ☃']
    const changed = await Promise.all(
      audiences.map((audience) => mayfly(['settings', 'policy', audience, 'maxViews=7'])),
    )
    expect(changed.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(await json('settings', 'policy')).toEqual(
      Object.fromEntries(audiences.map((audience) => [audience, { maxViews: 7 }])),
    )
  })

  test('--from reads a column of groups, and --group is for lines without one', async () => {
    const list = 'username,email,Groups\nanna,anna@example.org,"für ☃; Sales;"\nbert,bert@example.org,\n'
    expect(await mayfly(['user', 'add', '--from', '-'], list)).toMatchObject({ code: 0 })
    expect(await json('user', 'list')).toMatchObject([{ groups: ['Sales', 'für ☃'] }, { groups: [] }])
    const again = ['user', 'add', '--from', '-', '--if-missing']
    expect(await mayfly(again, list)).toMatchObject({ code: 0, stdout: '' })
    expect(await mayfly(again, list.replace('Sales', 'Ops'))).toMatchObject({ code: 8 })
    const refused = await mayfly(
      ['user', 'add', '--from', '-'],
      `login,mail,group\nx_1_2,x@example.org,${'ä'.repeat(101)}`,
    )
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2, column 3 (groups)') })
    await mayfly(['user', 'add', '--from', '-', '--group', 'team ☃'], 'carl,carl@example.org\n')
    expect(await json('user', 'list', '--search', 'carl')).toMatchObject([{ groups: ['team ☃'] }])
  })

  test('user token --list lists the tokens of a user, and a new password deletes them', async () => {
    await add('anna')
    const made = await json('user', 'token', 'anna', '--name', 'büild', '--scopes', 'secrets:create,account')
    const listed = await json('user', 'token', 'anna', '--list')
    expect(listed).toEqual([
      {
        id: made.id,
        name: 'büild',
        scopes: 'secrets:create,account',
        used_at: null,
        created_at: expect.stringMatching(ISO),
        expires_at: made.expires_at,
      },
    ])
    const text = (await mayfly(['user', 'token', 'anna', '--list'])).stdout
    expect(text).toBe(`${made.id}\tbüild\tsecrets:create,account\t-\t${made.expires_at}\n`)
    expect(await mayfly(['user', 'token', 'anna', '--list', '--rotate'])).toMatchObject({ stdout: '', code: 2 })
    await mayfly(['user', 'passwd', 'anna'])
    expect(await json('user', 'token', 'anna', '--list')).toEqual([])
  })

  test.each([
    [
      '--scopes',
      'secrets:create,nope',
      'must be secrets:create, secrets:read, account, admin, admin:read, admin:users or admin:settings',
    ],
    ['--max-secrets', '0', 'must be 1 or more'],
    ['--name', 'ä'.repeat(200), 'must have up to 64 characters'],
    ['--allow-ip', 'nowhere', 'must be an IP address or a CIDR range'],
  ])('user token names the problem of %s', async (flag, value, problem) => {
    const { stderr, code } = await mayfly(['user', 'token', 'anna', flag, value])
    expect({ stderr, code }).toEqual({ stderr: `mayfly: error: ${flag}: ${problem}\n`, code: 2 })
  })

  test('role, passwd and delete work, except on the last administrator', async () => {
    await add('root', '--role', 'admin')
    await add('anna')
    for (const refused of [
      ['user', 'role', 'root', 'user'],
      ['user', 'delete', 'root', '--confirm', 'root'],
    ]) {
      expect(await mayfly(refused)).toMatchObject({
        stdout: '',
        stderr: `${using()}mayfly: error: this is the last administrator\n`,
        code: 8,
      })
    }
    for (const wrong of [
      ['user', 'role', 'anna'],
      ['user', 'role', 'anna', 'king'],
      ['user', 'delete', 'anna'],
    ]) {
      expect(await mayfly(wrong)).toMatchObject({ stdout: '', code: 2 })
    }
    for (const absent of [
      ['user', 'role', 'nobody', 'admin'],
      ['user', 'passwd', 'nobody'],
      ['user', 'passwd', 'nobody', '--send-link'],
      ['user', 'token', 'nobody'],
      ['user', 'delete', 'nobody', '--confirm', 'nobody'],
    ]) {
      expect(await mayfly(absent)).toMatchObject({ stdout: '', code: 3 })
    }
    expect(await mayfly(['user', 'delete', 'anna', '--confirm', 'root'])).toMatchObject({ stdout: '', code: 130 })
    expect((await mayfly(['user', 'passwd', 'anna'])).stdout).toMatch(new RegExp(`^${PASSPHRASE}\n$`))
    expect((await mayfly(['user', 'role', 'anna', 'king'])).stderr).toContain('error: the role must be user or admin\n')
    expect(await mayfly(['user', 'role', 'anna', 'admin'])).toMatchObject({ stdout: '', code: 0 })
    expect(await mayfly(['user', 'delete', 'root', '--confirm', 'root'])).toMatchObject({ stdout: '', code: 0 })
    expect((await json('user', 'list')).map(({ username }: { username: string }) => username)).toEqual(['anna'])
    expect(await audited('--actor', '(shell)', '--take', '3')).toEqual([
      ['user.deleted', '(shell)', 'root'],
      ['user.changed', '(shell)', 'anna'],
      ['user.changed', '(shell)', 'anna'],
    ])
  })
})

describe('settings', () => {
  test('list, get and set work, and a running server applies changes', async () => {
    const server = await startLocalServer({ dataDir: join(instance.folder, 'data') })
    expect((await mayfly(['settings', 'list'])).stdout).toMatch(/^read_only\tfalse$/m)
    const set = ['settings', 'set', 'read_only=true', 'restrict_organization_email=Example.org']
    expect(await mayfly(set)).toEqual({
      stdout: '',
      stderr: `${using()}mayfly: read_only: false -> true\nmayfly: restrict_organization_email: (empty) -> example.org\n`,
      code: 0,
    })
    expect(await mayfly(['settings', 'get', 'read_only'])).toMatchObject({ stdout: 'true\n', code: 0 })
    const refused = () => mayfly(['secret', 'create', '--server', server.url], 'text', {})
    await vi.waitFor(async () => expect((await refused()).code).toBe(4), { timeout: 10_000 })
    await server.stop()
    expect(await mayfly(['settings', 'set', 'who_can_create=users'])).toMatchObject({
      stderr: `${using()}mayfly: who_can_create: anyone -> users\n`,
      code: 0,
    })
    for (const wrong of [
      'read_only=yes',
      'read_only',
      'who_can_create=nobody',
      'no_such=true',
      'restrict_organization_email=a b',
    ]) {
      expect(await mayfly(['settings', 'set', wrong])).toMatchObject({ stdout: '', code: 2 })
    }
    expect((await mayfly(['settings', 'get', 'readonly'])).code).toBe(2)
    expect(await json('settings', 'set', 'read-only=false')).toMatchObject({ read_only: false })
    expect(await audited('--action', 'settings.changed', '--subject', 'read_only')).toHaveLength(2)
  })
})

describe('settings of plugins', () => {
  const notice = fileURLToPath(new URL('../test/fixtures/plugins/notice.js', import.meta.url))
  const mayflyWith = (args: string[]) => mayfly(args, '', { ...ENV, MAYFLY_PLUGINS: notice })

  test('list, get and set work on the instance', async () => {
    expect((await mayfly(['settings', 'list'])).stdout).not.toContain('notice')
    const set = ['settings', 'set', 'notice.text=Grüße ☃', 'Notice.level=warning', 'read_only=true']
    expect(await mayflyWith(set)).toEqual({
      stdout: '',
      stderr: `${using()}mayfly: notice.text: (empty) -> Grüße ☃\nmayfly: notice.level: info -> warning\nmayfly: read_only: false -> true\n`,
      code: 0,
    })
    expect((await mayflyWith(['settings', 'list'])).stdout).toMatch(/^notice\.text\tGrüße ☃$/m)
    expect((await mayflyWith(['settings', 'get', 'notice.level'])).stdout).toBe('warning\n')
    expect(await mayflyWith(['settings', 'set', 'notice.level=loud'])).toMatchObject({
      stderr: expect.stringContaining('notice.level: '),
      code: 2,
    })
    expect(await mayfly(['settings', 'get', 'notice.level'])).toMatchObject({
      stderr: expect.stringContaining('no plugin has settings'),
      code: 2,
    })
    expect(await mayflyWith(['settings', 'set', 'notice.color=red'])).toMatchObject({
      stderr: expect.stringContaining('notice.text, notice.level'),
      code: 2,
    })
    expect(JSON.parse((await mayflyWith(['settings', 'list', '--json'])).stdout)).toMatchObject({
      read_only: true,
      'notice.level': 'warning',
    })
  })
})

test('audit filters by time and prints lines or JSON', async () => {
  await add('anna')
  expect(await audited('--since', '1h')).toHaveLength(1)
  expect(await audited('--until', '1h')).toEqual([])
  expect(await audited('--since', '2026-01-31', '--until', '2026-01-31T00:00:01Z')).toEqual([])
  expect(await audited('--actor', 'anna')).toEqual([])
  for (const wrong of ['yesterday', '1y', '2026-13-01'])
    expect((await mayfly(['audit', '--since', wrong])).code).toBe(2)
  const misspelled = await mayfly(['audit', '--action', 'user.creatd'])
  expect(misspelled).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean user.created?') })
  expect((await mayfly(['audit'])).stdout).toMatch(/^\S+Z\tuser\.created\t\(shell\)\tanna\t-\trole=user\n$/)
})

test('user list exits with 2 for a database in memory and with 6 for an unreachable database', async () => {
  expect(await mayfly(['user', 'list'], '', { ...ENV, ...MEMORY_ENV })).toMatchObject({
    stdout: '',
    code: 2,
  })
  const away = { ...ENV, MAYFLY_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  expect(await mayfly(['user', 'list'], '', away)).toMatchObject({ stdout: '', code: 6 })
})
