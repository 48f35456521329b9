/**
 * `backup` and `restore`: under load, between all engines, with half of the secrets burned in between; and refused
 * input.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anAuthenticator, aPasskey, aUser, T0 } from '#core/testing'
import { type EngineName, makeDatabase, type TestDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { shell } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

const SECRETS = 24
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-backup-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** An instance with a journal, whose folder is its data folder. */
const settingsOf = (database: TestDatabase, dataDir: string) => ({
  ...database.env,
  MAYFLY_PLUGINS: 'tombstones',
  MAYFLY_DATA_DIR: dataDir,
  // Backups of one are restored into the others.
  MAYFLY_INSTANCE_KEY: 'ab'.repeat(32),
  MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
})

interface Made {
  id: string
  text: string
  burnToken: string
}

async function create({ url }: RunningServer, more: object = {}): Promise<Made> {
  const text = randomBytes(12).toString('hex')
  const body = JSON.stringify({ text, ttl: 3600, ...more })
  const response = await fetch(`${url}/api/v1/secret`, { method: 'POST', headers: JSON_BODY, body })
  expect(response.status).toBe(201)
  return { text, ...((await response.json()) as Omit<Made, 'text'>) }
}
const JSON_BODY = { 'content-type': 'application/json' }
const view = async ({ url }: RunningServer, { id }: Made) => {
  const response = await fetch(`${url}/api/v1/secret/${id}`)
  return {
    status: response.status,
    ...((await response.json()) as { text?: string; maxViews?: number; files?: unknown[] }),
  }
}
const burn = async ({ url }: RunningServer, { id, burnToken }: Made) =>
  (
    await fetch(`${url}/api/v1/secret/${id}/burn`, {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ burnToken }),
    })
  ).status

/** Creates secrets until it is stopped. Returns them. */
function load(server: RunningServer): () => Promise<Made[]> {
  let isOver = false
  const made: Made[] = []
  const working = Promise.all(
    [0, 1, 2].map(async () => {
      while (!isOver) made.push(await create(server))
    }),
  )
  return async () => {
    isOver = true
    await working
    return made
  }
}

/** A user with a passkey, an authenticator app and two recovery codes. */
async function addFactors(database: TestDatabase) {
  const { storage, close } = await database.open()
  const user = aUser()
  const added = { recoveryCodes: [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')], keepSession: null }
  await storage.users.create(user)
  await storage.factors.addPasskey(aPasskey({ userId: user.id }), 9, { ...added, now: T0 })
  await storage.factors.addAuthenticator(anAuthenticator({ userId: user.id }), { ...added, now: T0 })
  await close()
  return readFactors(database, user.id)
}

async function readFactors(database: TestDatabase, userId: string) {
  const { storage, close } = await database.open()
  const factors = await storage.factors.list(userId)
  const user = await storage.users.get(userId)
  await close()
  return { userId, ...factors, secondFactor: user?.secondFactor }
}

const ROUND: [from: EngineName, to: EngineName][] = [
  ['sqlite', 'postgres'],
  ['postgres', 'mysql'],
  ['mysql', 'sqlite'],
]

describe('a backup under load, half of it burned, restored elsewhere', needs('postgres', 'mysql'), () => {
  test.each(ROUND)('REL-12: a backup from %s is restored to %s without burned secrets', async (from, to) => {
    const [source, target] = [await makeDatabase(from), await makeDatabase(to)]
    const [oldData, newData] = [await mkdtemp(join(folder, 'old-')), await mkdtemp(join(folder, 'new-'))]
    const env = settingsOf(source, oldData)
    const server = await startServer({ dataDir: oldData, env })
    const file = { name: 'f.bin', content: randomBytes(3000).toString('base64') }
    const kinds = [{}, { maxViews: 3 }, { files: [file] }, { maxViews: 2, files: [file] }]
    const factors = await addFactors(source)
    const secrets: Made[] = []
    for (let at = 0; at < SECRETS; at++) secrets.push(await create(server, kinds[at % 4]))
    const stop = load(server)
    const backup = join(folder, `${from}.tar`)
    const made = await run(['backup', backup, '--include-secrets'], { env })
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/backed up/) })
    const meanwhile = await stop()
    expect(meanwhile.length).toBeGreaterThan(0)

    const burned = secrets.filter((_, at) => at % 8 < 4)
    for (const [at, each] of burned.entries()) {
      // Half by request, the others by opening them as often as they may be opened.
      if (at % 2 === 0) expect(await burn(server, each)).toBe(200)
      else while ((await view(server, each)).maxViews) {}
    }
    const rest = secrets.filter((each) => !burned.includes(each))
    const [once] = rest.filter((_, at) => at % 4 === 1) as [Made]
    expect(await view(server, once)).toMatchObject({ maxViews: 2 })
    await server.kill()

    const elsewhere = settingsOf(target, newData)
    const restored = await run(['restore', backup, '--tombstones', join(oldData, 'tombstones')], { env: elsewhere })
    expect({ code: restored.code, stderr: restored.stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/ended after the backup, not restored/),
    })
    expect(await readFactors(target, factors.userId)).toEqual(factors)
    const other = await startServer({ dataDir: newData, env: elsewhere })
    try {
      for (const each of burned) expect(await view(other, each)).toMatchObject({ status: 404 })
      for (const each of rest) expect(await view(other, each)).toMatchObject({ status: 200, text: each.text })
      // Two of its three views are had now.
      expect(await view(other, once)).toMatchObject({ status: 200, maxViews: 0 })
      // Nothing of the files of the burned ones is left.
      const blobs = (await readdir(join(newData, 'files'), { recursive: true, withFileTypes: true })).filter((each) =>
        each.isFile(),
      )
      expect(blobs.filter(({ name }) => /^[0-9a-z]{32}$/.test(name)).length).toBe(
        rest.filter((_, at) => at % 4 > 1).length,
      )
    } finally {
      await other.stop()
      await Promise.all([source.drop(), target.drop()])
    }
  })
})

describe('backup and restore', () => {
  let source: TestDatabase
  let env: Record<string, string>
  let secret: Made
  let whole: string
  const restoring = async (file: string, flags: string[] = [], stdin?: Buffer) => {
    const target = await makeDatabase('sqlite')
    const data = await mkdtemp(join(folder, 'target-'))
    const into = settingsOf(target, data)
    return {
      ...(await run(['restore', file, ...flags], { env: into, ...(stdin ? { stdin } : {}) })),
      into,
      data,
      target,
    }
  }
  const journal = () => join(folder, 'data/tombstones')

  beforeAll(async () => {
    source = await makeDatabase('sqlite')
    await mkdir(join(folder, 'data'))
    env = settingsOf(source, join(folder, 'data'))
    const server = await startServer({ dataDir: join(folder, 'data'), env })
    secret = await create(server)
    await server.stop()
    const { storage, close } = await source.open()
    await storage.users.create(aUser({ username: 'zoë' }))
    await storage.settings.set({ read_only: 'true' })
    await close()
    whole = join(folder, 'whole.tar')
    await run(['backup', whole, '--include-secrets'], { env })
  })
  afterAll(() => source.drop())

  test('REL-12: backup contains no secrets by default and is readable with tar', async () => {
    const { stdout, stderr, code } = await run(['backup', '-'], { env })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('mayfly: backed up 1 user, 0 secrets\n'),
    })
    const names = execFileSync('tar', ['-t'], { input: stdout }).toString().trimEnd().split('\n')
    const tables = names.slice(1, -1).map((name) => name.replace(/^rows\/(\w+)\/.*/, '$1'))
    expect([names[0], ...tables, names.at(-1)]).toEqual([
      'manifest.json',
      'settings',
      'users',
      'audit',
      'stats',
      'summary.json',
    ])
    expect(stdout.includes(secret.id)).toBe(false)
  })

  test('backup creates a private file, overwrites nothing and refuses a terminal', async () => {
    expect((await stat(whole)).mode & 0o777).toBe(0o600)
    expect(await run(['backup', whole], { env })).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/exists already/),
    })
  })

  test('--json prints the summary', async () => {
    const { stdout, code } = await run(['backup', join(folder, 'j.tar'), '--json'], { env })
    expect(code).toBe(0)
    expect(JSON.parse(`${stdout}`)).toMatchObject({
      rows: { users: 1 },
      blobs: 0,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('restore --dry-run lists the contents without a database', async () => {
    const { stdout, code } = await run(['restore', whole, '--dry-run', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(`${stdout}`)).toMatchObject({ secrets: true, rows: { users: 1, secrets: 1, texts: 1 } })
  })

  test('REL-12: restore of a backup with secrets without --tombstones exits with 2', async () => {
    expect(await restoring(whole)).toMatchObject({ code: 2, stderr: expect.stringContaining('--tombstones') })
    const rest = await restoring(whole, ['--no-secrets'])
    expect(rest).toMatchObject({ code: 0, stderr: expect.stringContaining('restored 1 user, 0 secrets\n') })
  })

  test('backup of secrets without the tombstones plugin exits with 2', async () => {
    const off = { ...env, MAYFLY_PLUGINS: ',' }
    expect(await run(['backup', '-', '--include-secrets'], { env: off })).toMatchObject({
      code: 2,
      stdout: Buffer.alloc(0),
    })
  })

  test('an incomplete journal exits with 8', async () => {
    const later = await mkdtemp(join(folder, 'journal-'))
    await writeFile(join(later, `1-aa.log`), `from ${Date.now() + 1000}\n`)
    expect(await restoring(whole, ['--tombstones', later])).toMatchObject({ code: 8 })
    await writeFile(join(later, `1-aa.log`), `from 5\n`)
    expect(await restoring(whole, ['--tombstones', later])).toMatchObject({ code: 0 })
    await rename(join(later, '1-aa.log'), join(later, `1-aa.gap-${Date.now() + 1000}.log`))
    await writeFile(join(later, `2-bb.log`), `from 5\n`)
    expect(await restoring(whole, ['--tombstones', later])).toMatchObject({ code: 8 })
    await rename(join(later, '2-bb.log'), join(later, '2-bb.broken'))
    expect(await restoring(whole, ['--tombstones', later])).toMatchObject({ code: 8 })
  })

  test('a target with data is refused with 8 and emptied only with its name', async () => {
    const first = await restoring(whole, ['--no-secrets'])
    const again = (...flags: string[]) => run(['restore', whole, '--no-secrets', ...flags], { env: first.into })
    expect(await again()).toMatchObject({ code: 8, stderr: expect.stringContaining('--replace --confirm mayfly.db') })
    expect(await again('--replace', '--confirm', 'other.db')).toMatchObject({ code: 2 })
    expect(await again('--replace', '--confirm', 'mayfly.db')).toMatchObject({ code: 0 })
  })

  test('restore exits with 8 while a server uses the target', async () => {
    const running = await makeDatabase('sqlite')
    const data = await mkdtemp(join(folder, 'running-'))
    const into = { ...settingsOf(running, data), MAYFLY_CLEANUP_SECONDS: '1' }
    const server = await startServer({ dataDir: data, env: into })
    await expect.poll(async () => (await running.db('leases').first('holder'))?.holder ?? '').not.toBe('')
    expect(await run(['restore', whole, '--no-secrets'], { env: into })).toMatchObject({ code: 8 })
    await server.stop()
    expect(
      await run(['restore', whole, '--no-secrets', '--replace', '--confirm', 'mayfly.db'], { env: into }),
    ).toMatchObject({ code: 0 })
  })

  test('a damaged backup changes nothing and exits with 9; from a pipe the target is marked incomplete', async () => {
    const bytes = await readFile(whole)
    const damaged = join(folder, 'damaged.tar')
    await copyFile(whole, damaged)
    await truncate(damaged, bytes.length - 2000)
    const flipped = Buffer.from(bytes)
    const at = flipped.indexOf('zoë')
    flipped[at] = 'y'.charCodeAt(0)
    await writeFile(join(folder, 'flipped.tar'), flipped)
    for (const name of ['damaged.tar', 'flipped.tar']) {
      const tried = await restoring(join(folder, name), ['--no-secrets'])
      expect(tried).toMatchObject({ code: 9, stdout: Buffer.alloc(0) })
      expect(await readdir(tried.data)).toEqual([])
    }
    const piped = await restoring('-', ['--no-secrets'], flipped)
    expect(piped).toMatchObject({ code: 9 })
    expect(await run(['serve', '--port', '0'], { env: piped.into })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('unfinished copy'),
    })
    const text = join(folder, 'text')
    await writeFile(text, 'x'.repeat(5000))
    expect(await restoring(text)).toMatchObject({ code: 9 })
  })

  test('CRY-10: a backup encrypted for a recipient opens with the identity, also with the age program', async () => {
    const key = join(folder, 'key.txt')
    const other = join(folder, 'other.txt')
    for (const path of [key, other]) execFileSync('age-keygen', ['-o', path], { stdio: 'ignore' })
    const recipient = /age1\w+/.exec(await readFile(key, 'utf8'))?.[0] ?? ''
    const file = join(folder, 'backup.age')
    expect(await run(['backup', file, '--recipient', recipient], { env })).toMatchObject({ code: 0 })
    expect(await restoring(file)).toMatchObject({ code: 2, stderr: expect.stringContaining('--identity-file') })
    expect(await restoring(file, ['--identity-file', other])).toMatchObject({ code: 5 })
    expect(await restoring(file, ['--identity-file', key])).toMatchObject({ code: 0 })
    const { stdout } = await shell(`age -d -i ${key} ${file} | tar -t`)
    expect(`${stdout}`).toContain('summary.json')
  })

  test('a backup encrypted with a passphrase is restored', async () => {
    const [right, wrong] = [join(folder, 'right'), join(folder, 'wrong')]
    await writeFile(right, 'four random words here\n')
    await writeFile(wrong, 'others\n')
    const { stdout, code } = await run(['backup', '--passphrase-file', right], { env })
    expect({ code, head: stdout.subarray(0, 21).toString() }).toEqual({ code: 0, head: 'age-encryption.org/v1' })
    expect(await restoring('-', ['--passphrase-file', wrong], stdout)).toMatchObject({ code: 5 })
    expect(await restoring('-', ['--passphrase-file', right], stdout)).toMatchObject({ code: 0 })
  })

  test('a secret is restored with the journal of its instance', async () => {
    const { code, into, data, target } = await restoring(whole, ['--tombstones', journal()])
    expect(code).toBe(0)
    const server = await startServer({ dataDir: data, env: into })
    expect(await view(server, secret)).toMatchObject({ status: 200, text: secret.text })
    await server.stop()
    await target.drop()
  })
})
