/** Upgrades: instances of older versions, with their links, tokens, files and backups, work with this version. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { deriveKeys, newClaim } from '#shared/crypto/keys'
import { formatFragment, parseFragment, parseLink } from '#shared/link'
import { describeEachEngine } from '#test/for-each-engine'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type Ran, run } from '#test/run-cli'
import {
  fixturePath,
  type OldInstance,
  type OldSecret,
  type RestoredFixture,
  readInstance,
  restoreFixture,
  UPGRADE_FIXTURES,
} from '#test/upgrade-fixture'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

interface Upgraded {
  instance: OldInstance
  restored: RestoredFixture
  server: LocalServer
}

test('there is a fixture', () => {
  expect(UPGRADE_FIXTURES).toContain('02d0c60')
})

describe.each(UPGRADE_FIXTURES)('an instance of %s', (fixture) => {
  describeEachEngine((engine) => {
    const upgraded = { instance: readInstance(fixture) } as Upgraded
    beforeAll(async () => {
      setDate(upgraded.instance.madeAt + MINUTE)
      const restored = await restoreFixture(fixture, engine)
      // The claim of the fixture has this grace period.
      const env = { ...restored.env, MAYFLY_READ_GRACE_SECONDS: '3600' }
      Object.assign(upgraded, { restored, server: await startLocalServer({ dataDir: restored.dataDir, env }) })
    })
    afterAll(async () => {
      await upgraded.server?.stop()
      await upgraded.restored?.drop()
      vi.useRealTimers()
    })

    // The last tests move the date, the first ones compare what others change.
    testStoredData(upgraded)
    testAccounts(upgraded)
    testLinks(upgraded)
    testRequests(upgraded)
    testPasswords(upgraded)
    testDates(upgraded)
  })

  testBackups(fixture)
})

function testStoredData(upgraded: Upgraded): void {
  const { accounts, responses, audit } = upgraded.instance

  test('every migration has run after the start', async () => {
    const status: { name: string; state: string }[] = parseOutput(await runLocally(upgraded, 'migrate', 'status'))
    expect(status.map(({ name }) => name)).toEqual(expect.arrayContaining(upgraded.restored.migrations))
    expect(status.filter(({ state }) => state !== 'ran')).toEqual([])
    expect(upgraded.server.log()).not.toMatch(/"level":"(warn|error)"/)
  })

  test.each(Object.keys(responses))('GET %s returns the old data', async (path) => {
    const { token } = ['/account', '/secret'].includes(path) ? accounts.user : accounts.admin
    const { status, body } = await request(upgraded.server, 'GET', path, { authorization: `Bearer ${token}` })
    expect({ status, body }).toMatchObject({ status: 200, body: responses[path] })
  })

  test('the audit log has the old entries', async () => {
    const entries = parseOutput(await runLocally(upgraded, 'audit', '--take', '100'))
    expect(audit.length).toBeGreaterThan(20)
    expect(entries).toEqual(expect.arrayContaining(audit.map((entry) => expect.objectContaining(entry))))
  })

  test('an instance setting has its value', async () => {
    expect(parseOutput(await runLocally(upgraded, 'settings', 'get', 'restrict_organization_email'))).toEqual({
      restrict_organization_email: 'example.org',
    })
  })
}

function testAccounts(upgraded: Upgraded): void {
  const { accounts, session } = upgraded.instance

  test.each(['admin', 'user'] as const)('API token and password of the %s sign in', async (role) => {
    const { username, password, token } = accounts[role]
    const { server } = upgraded
    expect(await request(server, 'GET', '/authentication/verify', { authorization: `Bearer ${token}` })).toMatchObject({
      status: 200,
      body: { username, role },
    })
    const signIn = (given: string) =>
      request(server, 'POST', '/authentication/signin', {}, { username, password: given })
    expect(await signIn(password)).toMatchObject({ status: 200, body: { username } })
    expect(await signIn(`${password}!`)).toMatchObject({ status: 401 })
  })

  test('the session cookie is valid and can be refreshed', async () => {
    const get = (path: string, token: string) =>
      request(upgraded.server, 'GET', `/authentication/${path}`, { cookie: `session=${token}` })
    const { username } = accounts.user
    expect(await get('verify', session)).toMatchObject({ status: 200, body: { username, role: 'user' } })
    expect(await get('verify', `${session.slice(0, -2)}AA`)).toMatchObject({ status: 401 })
    expect(await get('refresh', session)).toMatchObject({ status: 200, body: { username } })
  })
}

function testLinks(upgraded: Upgraded): void {
  const read = (name: string, flags?: string[]) => readLink(upgraded, secretOf(upgraded, name).link, flags)
  const resultOf = (name: string, viewsLeft: number | null) => toReadResult(secretOf(upgraded, name), viewsLeft)

  test.each([
    ['once', 1],
    ['used', 2],
    ['here', 1],
  ])('the link "%s" opens %i times, but not with another key', async (name, views) => {
    const otherKey = formatFragment(new Uint8Array(32))
    const otherLink = secretOf(upgraded, name).link.replace(/#.*/, `#${otherKey}`)
    expect(await readLink(upgraded, otherLink)).toMatchObject({ code: 3 })
    for (let left = views - 1; left >= 0; left--) expect(await read(name)).toEqual(resultOf(name, left))
    expect(await read(name)).toMatchObject({ code: 3 })
  })

  test.each(['kept', 'public'])('the link "%s" opens without a limit', async (name) => {
    for (let count = 0; count < 3; count++) expect(await read(name)).toEqual(resultOf(name, null))
  })

  test.each(['files', 'raw'])('the link "%s" opens twice, with its files', async (name) => {
    const { files = [] } = secretOf(upgraded, name)
    expect(files).toHaveLength(2)
    for (const left of [1, 0]) {
      const folder = await mkdtemp(join(upgraded.restored.dataDir, 'out-'))
      expect(await read(name, ['--out-dir', folder])).toEqual(resultOf(name, left))
      for (const file of files) expect(await readFile(join(folder, file.name), 'base64')).toBe(file.content)
    }
    expect(await read(name)).toMatchObject({ code: 3 })
  })

  test.each(['opened', 'burned'])('the link "%s" stays without a secret', async (name) => {
    expect(await read(name)).toMatchObject({ code: 3 })
  })

  test('a burn token burns its secret and no other', async () => {
    const { restored, server } = upgraded
    const { id, burnToken } = secretOf(upgraded, 'burnable')
    const file = join(restored.dataDir, 'burn-token')
    const burn = async (token: string) => {
      await writeFile(file, token)
      return (await run(['secret', 'burn', id, '--server', server.url, '--burn-token-file', file, '--yes'])).code
    }
    expect(await burn(secretOf(upgraded, 'kept').burnToken)).toBe(3)
    expect(await burn(burnToken)).toBe(0)
    expect(await read('burnable')).toMatchObject({ code: 3 })
  })
}

function testRequests(upgraded: Upgraded): void {
  const { accounts, idempotent, unacknowledged } = upgraded.instance

  test('an idempotency key gets the old response', async () => {
    const headers = { authorization: `Bearer ${accounts.user.token}`, 'idempotency-key': idempotent.key }
    const create = (body: object) => request(upgraded.server, 'POST', '/secret', headers, body)
    expect(await create(idempotent.body)).toEqual({ status: 201, body: idempotent.response })
    expect(await create({ ...idempotent.body, ttl: 60 })).toMatchObject({
      body: { code: 'request.idempotency_mismatch' },
    })
  })

  test('old tickets get the files, and the old claim the same view', async () => {
    const { claim, response } = unacknowledged
    const { files = [] } = secretOf(upgraded, 'claimed')
    const view = (body: object) => request(upgraded.server, 'POST', `/secret/${response.id}`, {}, body)
    // Before the view is repeated, because that opens the tickets again.
    for (const [index, { key }] of response.files.entries()) {
      const body = JSON.stringify({ key, secretId: response.id, part: 0 })
      const { url } = upgraded.server
      const headers = { 'content-type': 'application/json' }
      const download = await fetch(`${url}/api/v1/download`, { method: 'POST', headers, body })
      expect(Buffer.from(await download.arrayBuffer()).toString('base64')).toBe(files[index]?.content)
    }
    expect(await view({ claim })).toMatchObject({ status: 200, body: response })
    expect(await view({ claim: newClaim() })).toMatchObject({ status: 404 })
  })

  test('an address that a secret does not allow gets 404', async () => {
    const { id, text } = secretOf(upgraded, 'elsewhere')
    const { dataDir, env } = upgraded.restored
    // The proxy is the test.
    const server = await startLocalServer({ dataDir, env: { ...env, MAYFLY_TRUSTED_PROXIES: '127.0.0.1,::1' } })
    const from = (address: string) => request(server, 'GET', `/secret/${id}`, { 'x-forwarded-for': address })
    try {
      expect(await from('198.51.100.1')).toMatchObject({ status: 404 })
      expect(await from('203.0.113.9')).toMatchObject({ status: 200, body: { text } })
    } finally {
      await server.stop()
    }
  })
}

function testPasswords(upgraded: Upgraded): void {
  /** Two of the ten attempts were used before the upgrade. */
  test('wrong passwords from before and after the upgrade count together', async () => {
    const secret = secretOf(upgraded, 'password')
    const { link, password = '' } = secret
    const view = (given: string) => viewSealed(upgraded, link, given)
    expect(await view('falsch')).toMatchObject({ status: 401, body: { attemptsLeft: 7 } })
    expect(await view('')).toMatchObject({ status: 401, body: { code: 'secret.password_required', attemptsLeft: 7 } })
    const flags = await passwordFlags(upgraded, password)
    for (const left of [1, 0]) expect(await readLink(upgraded, link, flags)).toEqual(toReadResult(secret, left))
    expect(await readLink(upgraded, link, flags)).toMatchObject({ code: 3 })
  })

  test('a raw secret opens with its password only', async () => {
    const { id, text, password } = secretOf(upgraded, 'rawPassword')
    const view = (body: object) => request(upgraded.server, 'POST', `/secret/${id}`, {}, { claim: newClaim(), ...body })
    expect(await view({ password: 'falsch' })).toMatchObject({ status: 401, body: { attemptsLeft: 9 } })
    expect(await view({ password })).toMatchObject({ status: 200, body: { text } })
  })
}

function testDates(upgraded: Upgraded): void {
  test('a locked secret stays locked for 15 minutes', async () => {
    const secret = secretOf(upgraded, 'locked')
    const { link, password = '' } = secret
    const flags = await passwordFlags(upgraded, password)
    expect(await readLink(upgraded, link, flags)).toMatchObject({ code: 7 })
    vi.setSystemTime(upgraded.instance.madeAt + 14 * MINUTE)
    expect(await viewSealed(upgraded, link, password)).toMatchObject({ status: 423, body: { code: 'secret.locked' } })
    vi.setSystemTime(upgraded.instance.madeAt + 16 * MINUTE)
    expect(await readLink(upgraded, link, flags)).toEqual(toReadResult(secret, 0))
  })

  test('secrets and the session expire after a week, API tokens do not', async () => {
    const { accounts, session } = upgraded.instance
    vi.setSystemTime(upgraded.instance.madeAt + 8 * DAY)
    for (const name of ['kept', 'public']) {
      expect(await readLink(upgraded, secretOf(upgraded, name).link)).toMatchObject({ code: 3 })
    }
    const verify = (headers: Record<string, string>) =>
      request(upgraded.server, 'GET', '/authentication/verify', headers)
    expect(await verify({ cookie: `session=${session}` })).toMatchObject({ status: 401 })
    expect(await verify({ authorization: `Bearer ${accounts.user.token}` })).toMatchObject({ status: 200 })
  })
}

/** Every later version restores a backup, also one with more migrations. */
function testBackups(fixture: string): void {
  const instance = readInstance(fixture)
  const { admin, user } = instance.accounts
  let folder: string
  let passphrase: string[]
  beforeAll(async () => {
    setDate(instance.madeAt + MINUTE)
    folder = await mkdtemp(join(tmpdir(), 'mayfly-upgrade-backup-'))
    await writeFile(join(folder, 'passphrase'), instance.passphrase)
    passphrase = ['--passphrase-file', join(folder, 'passphrase')]
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
    vi.useRealTimers()
  })

  const envOf = (name: string) => ({
    MAYFLY_DATA_DIR: join(folder, name),
    MAYFLY_PLUGINS: ',',
    MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
  })
  const restore = (backup: string, name: string, flags: string[]) =>
    run(['restore', fixturePath(fixture, backup), '--json', ...flags], { env: envOf(name), cwd: folder })

  test('a backup with secrets is complete and restores what has not ended', async () => {
    const journal = ['--tombstones', fixturePath(fixture, 'tombstones')]
    const checked = parseOutput(await restore('backup.tar', 'empty', ['--dry-run']))
    expect(checked).toMatchObject({ secrets: true, rows: { users: 2, secrets: 13, attachments: 4 } })
    expect(parseOutput(await restore('backup.tar', 'whole', journal))).toMatchObject({
      rows: { users: 2, secrets: 13 },
    })
    await mkdir(join(folder, 'out'))
    const server = await startLocalServer({ dataDir: join(folder, 'whole'), env: envOf('whole') })
    try {
      const { link, files = [] } = instance.secrets.files as OldSecret
      const read = await run(['secret', 'read', rebaseLink(link, server), '--out-dir', join(folder, 'out')])
      expect(read).toMatchObject({ code: 0 })
      for (const file of files) expect(await readFile(join(folder, 'out', file.name), 'base64')).toBe(file.content)
      const { username, password } = user
      expect(await request(server, 'POST', '/authentication/signin', {}, { username, password })).toMatchObject({
        status: 200,
      })
    } finally {
      await server.stop()
    }
  })

  test('a backup under a passphrase is complete and restores the users', async () => {
    expect((await restore('backup.age', 'empty', ['--dry-run'])).code).toBe(2)
    const checked = parseOutput(await restore('backup.age', 'empty', ['--dry-run', ...passphrase]))
    expect(checked).toMatchObject({ secrets: false, rows: { users: 2 } })
    expect(parseOutput(await restore('backup.age', 'users', passphrase))).toMatchObject({ rows: { users: 2 } })
    const users = parseOutput(await run(['user', 'list', '--json'], { env: envOf('users'), cwd: folder }))
    expect(JSON.stringify(users)).toContain(admin.email)
  })
}

/** Sets the date to that of a fixture. Only `Date` is replaced, and it goes on. */
function setDate(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now, shouldAdvanceTime: true })
}

const secretOf = ({ instance }: Upgraded, name: string): OldSecret => instance.secrets[name] as OldSecret

/** The link with the address of this server. */
const rebaseLink = (link: string, { url }: LocalServer): string => link.replace(/^https?:\/\/[^/]+/, url)

/** Runs `secret read`. */
async function readLink({ restored, server }: Upgraded, link: string, flags: string[] = []) {
  const args = ['secret', 'read', rebaseLink(link, server), '--json', ...flags]
  const { code, stdout } = await run(args, { cwd: restored.dataDir })
  if (code !== 0) return { code }
  const { text, title, views_left: viewsLeft, mismatches } = JSON.parse(`${stdout}`)
  return { code, text, title, viewsLeft, mismatches }
}

/** What `readLink` returns for a secret. A mismatch would be a limit or a file that differs from what its sender chose. */
const toReadResult = ({ text, title }: OldSecret, viewsLeft: number | null) => {
  return { code: 0, text, title: title ?? null, viewsLeft, mismatches: [] }
}

/** Runs a command on the database itself. */
const runLocally = ({ restored }: Upgraded, ...args: string[]) =>
  run([...args, '--json'], { env: restored.env, cwd: restored.dataDir })

async function passwordFlags({ restored }: Upgraded, password: string): Promise<string[]> {
  const file = join(restored.dataDir, 'password')
  await writeFile(file, password)
  return ['--password-file', file]
}

/** Views a sealed secret without the command line, for the body of an error. */
async function viewSealed({ server }: Upgraded, link: string, password: string) {
  const { id, fragment } = parseLink(link)
  const { access, passwordProof } = await deriveKeys(parseFragment(fragment ?? ''), password || undefined)
  const proof = passwordProof ? { password: passwordProof } : {}
  return request(server, 'POST', `/secret/${id}`, {}, { access, claim: newClaim(), ...proof })
}

async function request(
  { url }: LocalServer,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
) {
  const content = body && { body: JSON.stringify(body) }
  const type = body && { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { origin: url, ...type, ...headers },
    ...content,
  })
  return { status: response.status, body: await response.json() }
}

/** Throws with the messages of a command that failed. */
function parseOutput({ code, stdout, stderr }: Ran) {
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(`${stdout}`)
}
