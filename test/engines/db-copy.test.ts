/** `db copy`: round all engines and file stores, with an old link that still opens at the end. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileStore, PlainRow, RowStore, Storage } from '#core'
import {
  aHash,
  anAuditEntry,
  anAuthenticator,
  anEvent,
  anId,
  anIdentity,
  anUpload,
  aPasskey,
  aPublicSecret,
  aSecret,
  aSession,
  aToken,
  aUser,
  openFileStore,
} from '#core/testing'
import { builtIns } from '#plugins'
import { encryptedPartLength, PART_SIZE } from '#shared/crypto/parts'
import { type EngineName, makeDatabase, schemaOf, type TestDatabase, tablesOf } from '#test/databases'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { makeBucket } from '#test/s3'
import { startServer } from '#test/start-server'

/** Several batches of each step. */
const SECRETS = 2500
const FILES = 100
/** Secrets with the same file. */
const COPIES = 20
const BARE = { MAYFLY_PLUGINS: ',' }
const MINUTE = 60_000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-copy-'))
})
afterAll(() => rm(folder, { recursive: true }))

const urlOf = ({ options }: TestDatabase): string => options.url ?? `sqlite:${options.file}`
const copy = (from: TestDatabase, to: TestDatabase, more: string[] = [], env: Record<string, string> = {}) =>
  run(['db', 'copy', '--from', urlOf(from), '--to', urlOf(to), ...more], { env, cwd: folder })

async function opened<T>(
  database: TestDatabase,
  work: (storage: Storage & { rows: RowStore }) => Promise<T>,
): Promise<T> {
  const { storage, close } = await database.open()
  try {
    await storage.migrate()
    return await work(storage as Storage & { rows: RowStore })
  } finally {
    await close()
  }
}

async function inFolder<T>(path: string, work: (files: FileStore) => Promise<T>): Promise<T> {
  const plugin = (await builtIns['local-files']()).default
  const { files, close } = await openFileStore(plugin as never, { options: { folder: path, minFreeBytes: 0 } })
  return work(files).finally(close)
}

/** One file with all its parts, as an upload leaves it. */
async function anAttachedFile({ attachments }: Storage, files: FileStore, size: number, now: number, copies = 1) {
  const max = encryptedPartLength(PART_SIZE)
  const upload = anUpload({ size, copies, parts: Math.ceil(size / max), expiresAt: now + 60 * MINUTE })
  await attachments.reserve(upload, { open: 1000, bytes: null, windowMs: MINUTE, storedBytes: null }, now)
  for (let index = 0; index < upload.parts; index++) {
    const length = Math.min(max, size - index * max)
    await files.put(`${upload.blob}${String(index).padStart(8, '0')}`, Readable.from([randomBytes(length)]), length)
    await attachments.recordPart({ id: upload.id, index, expiresAt: upload.expiresAt, now })
  }
  return { id: upload.id, tokenHash: upload.tokenHash }
}

async function fill(storage: Storage, files: FileStore, now: number): Promise<void> {
  const expiresAt = now + 600 * MINUTE
  const owner = aUser()
  await storage.users.create(owner, { identity: anIdentity() })
  const added = { recoveryCodes: [aHash(), aHash()], keepSession: null, now }
  await storage.factors.addPasskey(aPasskey({ userId: owner.id }), 9, added)
  await storage.factors.addAuthenticator(anAuthenticator({ userId: owner.id }), added)
  const session = aSession({ userId: owner.id })
  await storage.sessions.open(session, 9, now)
  await storage.sessions.rotate({
    tokenHash: session.tokenHash,
    next: { tokenHash: aHash(), expiresAt: session.endsAt },
    graceMs: MINUTE,
    now,
  })
  await storage.tokens.create({ token: aToken({ userId: owner.id, secretsLeft: 3, bytesLeft: 2 ** 40 }), max: 9, now })
  await storage.audit.append([anAuditEntry(), anAuditEntry({ actor: null })])
  await storage.settings.set({ disable_users: 'true', restrict_organization_email: 'bücher.example' })
  for (let made = 0; made < SECRETS; made += 500) {
    const some = Array.from({ length: 500 }, (_, at) =>
      (at % 10 === 0 ? aPublicSecret : aSecret)({ expiresAt, maxViews: 5, ...(at % 7 ? {} : { ownerId: owner.id }) }),
    )
    await Promise.all(some.map((secret) => storage.secrets.create({ secret, now })))
  }
  for (let made = 0; made < FILES; made++) {
    const size = made === 0 ? PART_SIZE + 12_345 : 1 + (made % 50) * 997
    const file = await anAttachedFile(storage, files, size, now)
    const secret = aSecret({ expiresAt, files: 1, maxViews: 2 })
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt }
    await storage.secrets.create({ secret, now, record, files: [file] })
    await storage.secrets.view({ id: secret.id, claimHash: aHash(), now, graceMs: MINUTE })
    await storage.attachments.createTickets(secret.id, [{ hash: aHash(), attachmentId: file.id, expiresAt }], null)
  }
  const shared = await anAttachedFile(storage, files, 1234, now, COPIES + 1)
  for (let made = 0; made < COPIES; made++) {
    await storage.secrets.create({ secret: aSecret({ expiresAt, files: 1 }), now, files: [shared] })
  }
  await storage.secrets.recordWrongPassword({ id: anId(), now, lockMs: MINUTE })
}

/** Every row, in an order that all engines share. */
async function contents({ rows }: { rows: RowStore }): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const { name: table } of rows.tables) {
    const found: string[] = []
    let some = await rows.read(table, null, 1000)
    while (some.length > 0) {
      found.push(...some.map((row) => JSON.stringify(Object.entries(row).sort())))
      some = await rows.read(table, some.at(-1) as PlainRow, 1000)
    }
    all[table] = `${found.length} ${createHash('sha256').update(found.sort().join('\n')).digest('hex')}`
  }
  return all
}

describe('a round trip', needs('postgres', 'mysql', 's3'), () => {
  test(`SQLite to PostgreSQL to MariaDB to SQLite, ${SECRETS} secrets and ${FILES} files, disk to S3 to disk`, async () => {
    const [first, second, third, last] = (await Promise.all(
      (['sqlite', 'postgres', 'mysql', 'sqlite'] as EngineName[]).map((engine) => makeDatabase(engine)),
    )) as [TestDatabase, TestDatabase, TestDatabase, TestDatabase]
    const bucket = await makeBucket()
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    const env = { ...first.env, ...BARE, MAYFLY_LOCAL_FILES_FOLDER: from, MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0' }
    const old = await startServer({ env })
    await writeFile(join(folder, 'plan ☃.txt'), 'the plan')
    const flags = ['--server', old.url, '-f', join(folder, 'plan ☃.txt'), '--ttl', '1h', '--text', 'an old sécret']
    const created = await run(['secret', 'create', ...flags])
    expect(created).toMatchObject({ code: 0 })
    await old.stop()
    const before = await opened(first, async (storage) => {
      await inFolder(from, (files) => fill(storage, files, Date.now()))
      return contents(storage)
    })
    expect(before.secrets).toMatch(new RegExp(`^${SECRETS + FILES + COPIES + 1} `))

    const onS3 = bucket.env()
    const outcomes = [
      await copy(first, second, ['--files-from', from, '--files-to', 's3'], onS3),
      await copy(second, third, ['--batch', '777']),
      await copy(third, last, ['--files-from', 's3', '--files-to', to], onS3),
    ]
    for (const { code, stderr, stdout } of outcomes) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
      expect(`${stdout}`).toContain(`secrets\t${SECRETS + FILES + COPIES + 1}\t${SECRETS + FILES + COPIES + 1}\tok\n`)
      expect(`${stdout}`).not.toContain('fail')
      expect(stderr).not.toMatch(/test:tester|testing-secret/)
    }
    expect(`${outcomes[2]?.stdout}`).toMatch(/^files\t103\t103\tok$/m)
    expect(await opened(last, contents)).toEqual(before)

    const server = await startServer({ env: { ...last.env, ...BARE, MAYFLY_LOCAL_FILES_FOLDER: to } })
    const link = `${created.stdout}`.trim().replace(old.url, server.url)
    const read = await run(['secret', 'read', link, '--out-dir', folder], { cwd: folder })
    expect(read).toMatchObject({ code: 0 })
    expect(`${read.stdout}`).toContain('an old sécret')
    expect(await readFile(join(folder, 'plan ☃ (1).txt'), 'utf8')).toBe('the plan')
    expect((await run(['secret', 'read', link], { cwd: folder })).code).toBe(3)
    await server.stop()
    await Promise.all([first, second, third, last].map((database) => database.drop()))
    await bucket.drop()
  }, 300_000)
})

describe('a copy', () => {
  let [from, to] = [] as unknown as [TestDatabase, TestDatabase]
  beforeAll(async () => {
    ;[from, to] = [await makeDatabase('sqlite'), await makeDatabase('sqlite')]
    await writeFile(join(folder, 'x.db'), '')
    await opened(from, async ({ secrets, users }) => {
      await users.create(aUser())
      for (let made = 0; made < 30; made++)
        await secrets.create({ secret: aSecret({ expiresAt: Date.now() + MINUTE }), now: Date.now() })
    })
  })
  afterAll(() => Promise.all([from.drop(), to.drop()]))

  test('an interrupted copy is reported, cannot be served, and continues', async () => {
    await opened(to, ({ instanceState }) => instanceState.set('copy_progress', '{"done":["settings"],"after":null}'))
    const refused = await run(['serve', '--port', '0'], { env: { ...to.env, ...BARE }, cwd: folder })
    expect(refused.stderr).toContain('the database is an unfinished copy')
    expect(refused.code).toBe(6)
    expect((await copy(to, from)).stderr).toContain('the source is an unfinished copy')
    const { code, stderr } = await copy(from, to, ['--batch', '7'])
    expect(stderr).toContain('continuing an interrupted copy')
    expect(code).toBe(0)
    expect(await opened(to, contents)).toEqual(await opened(from, contents))
  })

  test('a copy from another schema version exits with 8 and keeps the source', async () => {
    const [old, target] = [await makeDatabase('sqlite'), await makeDatabase('sqlite')]
    await run(['migrate', '--database-url', urlOf(old)], { cwd: folder })
    await old.db('migrations').insert({ name: '999_from_the_future', ran_at: 1 })
    const schema = await schemaOf(old)
    const { code, stderr } = await copy(old, target)
    expect(stderr).toContain('error: the source has a different schema than this version')
    expect(code).toBe(8)
    expect(await schemaOf(old)).toEqual(schema)
    expect(await tablesOf('sqlite', target.db)).toEqual([])
    await Promise.all([old.drop(), target.drop()])
  })

  test('new events of the source are in the outbox of the target', async () => {
    const [source, target] = [await makeDatabase('sqlite'), await makeDatabase('sqlite')]
    const event = anEvent()
    await opened(source, ({ outbox }) => outbox.append([event]))
    expect(await copy(source, target)).toMatchObject({ code: 0 })
    const copied = await opened(target, ({ outbox }) => outbox.list({}, { skip: 0, take: 9 }))
    expect(copied).toMatchObject([event])
    await Promise.all([source.drop(), target.drop()])
  })

  test('a copy into a target with data exits with 8', async () => {
    const { code, stderr } = await copy(from, to)
    expect(stderr).toContain('error: the target is not empty')
    expect(code).toBe(8)
  })

  test('a copy that differs from its source exits with 9 and stays unfinished', async () => {
    const target = await makeDatabase('sqlite')
    await opened(target, async ({ instanceState, secrets }) => {
      await secrets.create({ secret: aSecret({ expiresAt: Date.now() + MINUTE }), now: Date.now() })
      await instanceState.set('copy_progress', '{"done":[],"after":null}')
    })
    const { code, stderr, stdout } = await copy(from, target, ['--json'])
    expect(JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '').error).toMatchObject({ exit: 9 })
    expect(JSON.parse(`${stdout}`).tables).toContainEqual({ table: 'secrets', from: 30, to: 31, is_same: false })
    expect(code).toBe(9)
    expect(await opened(target, ({ instanceState }) => instanceState.get('copy_progress'))).not.toBeNull()
    await target.drop()
  })

  test.each([
    [['--from', 'sqlite:x.db'], 'missing option: --from and --to'],
    [['--from', 'oracle:hunter2', '--to', 'sqlite:x.db'], '--from must be a database URL: sqlite:, postgres:'],
    [['--from', 'sqlite:nowhere.db', '--to', 'sqlite:y.db'], '--from: file not found'],
    [
      ['--from', 'sqlite:x.db', '--to', 'sqlite:y.db', '--files-to', 's3'],
      '--files-from and --files-to must be used together',
    ],
    [['--from', 'sqlite:x.db', '--to', 'sqlite:y.db', '--batch', '0'], '--batch must be a whole number from 1 to 1000'],
  ])('a copy with %j exits with 2', async (flags, message) => {
    const { code, stderr, stdout } = await run(['db', 'copy', ...flags], { cwd: folder })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hunter2')
    expect({ code, stdout: `${stdout}` }).toEqual({ code: 2, stdout: '' })
  })
})

test('a source on which a server runs is refused with 8, and copied with --live', async () => {
  const [from, to] = [await makeDatabase('sqlite'), await makeDatabase('sqlite')]
  const server = await startServer({ env: { ...from.env, ...BARE, MAYFLY_CLEANUP_SECONDS: '1' } })
  await expect.poll(async () => (await from.db('leases').where({ name: 'cleanup' })).length).toBe(1)
  const refused = await copy(from, to)
  expect(refused).toMatchObject({ code: 8, stdout: Buffer.alloc(0) })
  expect(refused.stderr).toContain('a server is running on the source')
  const live = await copy(from, to, ['--live'])
  expect(live).toMatchObject({ code: 0, stderr: expect.stringContaining('changes during the copy may be missing') })
  await server.stop()
  await Promise.all([from.drop(), to.drop()])
})
