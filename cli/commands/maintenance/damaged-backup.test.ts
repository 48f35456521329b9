/** `restore` of backups that are truncated, plain and encrypted, or of another schema. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archive } from '#core/backup'
import { archiveSum, entryOf } from '#core/export/archive'
import { migrations } from '#migrations'
import { run } from '#test/run-cli'

const MANIFEST = { format: 1, mayfly: '0.2.0', createdAt: 1, schema: [], secrets: true, files: true }

let folder: string
let plain: Buffer
let encrypted: Buffer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-damaged-'))
  const entries = [
    { name: 'manifest.json', bytes: Buffer.from(JSON.stringify(MANIFEST)) },
    { name: 'rows/users/00000000.ndjson', bytes: Buffer.from('{"username":"zoë"}\n') },
    { name: `blobs/${'0'.repeat(32)}`, bytes: randomBytes(200_000) },
    { name: 'summary.json', bytes: Buffer.from('{"rows":{},"blobs":1,"bytes":1,"sha256":""}') },
  ]
  const source = entries.map(({ name, bytes }) => ({ name, size: bytes.length, body: Readable.from([bytes]) }))
  plain = await buffer(archive(Readable.from(source)))
  const identity = await generateIdentity()
  await writeFile(join(folder, 'key'), `${identity}\n`)
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(identity))
  encrypted = Buffer.from(await encrypter.encrypt(new Uint8Array(plain)))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([100, 512, 600, 1024, 1500, 2048, 2600, 5000, 100_000, 202_000])('a backup of %i bytes', async (length) => {
  for (const [bytes, flags] of [
    [plain, []],
    [encrypted, ['--identity-file', 'key']],
  ] as [Buffer, string[]][]) {
    await writeFile(join(folder, 'cut'), bytes.subarray(0, length))
    const { stdout, stderr, code } = await run(['restore', 'cut', '--dry-run', ...flags], { cwd: folder })
    expect({ stdout, code }, stderr).toEqual({ stdout: Buffer.alloc(0), code: 9 })
    expect(stderr).toContain('hint: check that the backup was copied completely')
  }
})

/** A complete backup without a MAC, with one row of a table. */
async function* complete(schema: string[], table: string) {
  const sum = archiveSum()
  yield sum.addEntry(entryOf('manifest.json', JSON.stringify({ ...MANIFEST, schema, secrets: false, files: false })))
  yield sum.addEntry(entryOf(`rows/${table}/00000000.ndjson`, '{"id":"zoë"}\n'))
  yield entryOf('summary.json', JSON.stringify({ rows: { [table]: 1 }, blobs: 0, bytes: 0, sha256: sum.hex() }))
}

test.each([
  [['001_other'], 'users', 8, 'the backup has a different schema than this version'],
  [migrations.map(({ name }) => name), 'sessions', 9, 'the backup is damaged: unexpected entry'],
])('a backup with the schema %s and rows of %s exits with %i', async (schema, table, exit, message) => {
  await writeFile(join(folder, 'foreign.tar'), await buffer(archive(complete(schema, table))))
  const env = { MAYFLY_DATA_DIR: `data-${table}`, MAYFLY_PLUGINS: ',' }
  const { stderr, code } = await run(['restore', 'foreign.tar', '--accept-unauthenticated'], { cwd: folder, env })
  expect(stderr).toContain(message)
  expect(code).toBe(exit)
})
