/** Hostile archives: each is refused with the name of an entry, and reading one needs little memory. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { submissionLengthMax } from '../shared/crypto/encrypted-sizes.js'
import { archive, archiveSum, type Entry, entriesOf, entryOf } from './archive.js'
import { BackupError, MANIFEST, rowsName, SUMMARY } from './backup-format.js'
import { createBackupKey } from './backup-key.js'
import { ROWS_MAX } from './entry-limits.js'
import { verify } from './read-backup.js'

const MIB = 2 ** 20
const MAX_TEXT = 64 * 1024
/** Growth of the process while an archive is read. The largest entry takes 32 MiB, as bytes and as rows. */
const MEMORY_MAX = 200 * MIB
const KEY = createBackupKey('file', Buffer.alloc(32, 7))
const BLOB = `blobs/${'ä'.length}${'a'.repeat(31)}`
const manifest = JSON.stringify({
  format: 1,
  mayfly: '0.2.0 ☃',
  createdAt: 1,
  schema: [],
  secrets: true,
  files: true,
  key: KEY.id,
})
const users = (number: number, text = '{"id":"zoë"}\n') => entryOf(rowsName('users', number), text)

/** An entry whose bytes are created while they are read. */
function largeEntry(name: string, size: number, piece = Buffer.alloc(MIB, 0x20)): Entry {
  const pieces = function* () {
    for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, left)
  }
  return { name, size, body: Readable.from(pieces(), { objectMode: false }) }
}

/** A complete backup of these entries with a MAC. */
async function* complete(entries: Iterable<Entry>, key = KEY): AsyncGenerator<Entry> {
  const sum = archiveSum()
  yield sum.addEntry(entryOf(MANIFEST, manifest))
  for (const entry of entries) yield sum.addEntry(entry)
  const summary = { rows: {}, blobs: 0, bytes: 0, sha256: sum.hex() }
  yield entryOf(SUMMARY, JSON.stringify({ ...summary, mac: key.sign(summary) }))
}

const read = (stream: Readable) => verify(entriesOf(stream, MAX_TEXT), [KEY])

/** The error of an archive, and by how many bytes the process grew meanwhile. */
async function readHostile(stream: Readable) {
  const maxRss = () => process.resourceUsage().maxRSS * 1024
  const [rss, max] = [process.memoryUsage().rss, maxRss()]
  const error = await read(stream).then(
    () => null,
    (error: unknown) => error,
  )
  // The maximum of all tests so far.
  return { error, growth: Math.max(maxRss() > max ? maxRss() - rss : 0, process.memoryUsage().rss - rss) }
}

const line = `${JSON.stringify({ text: 'x'.repeat(MIB) })}\n`
const brackets = `[${'{},'.repeat(5_000_000)}{}]\n`
const manyKeys = `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":0`).join()}}\n`
const HOSTILE: [what: string, entries: () => Iterable<Entry>, message: RegExp][] = [
  ['1 GiB of rows', () => [largeEntry(rowsName('texts', 0), 1024 * MIB)], /"rows\/texts\/00000000\.ndjson".* bytes/],
  ['a part of 1 GiB', () => [largeEntry(BLOB, 1024 * MIB)], /"blobs\/1a+".* bytes/],
  ['a summary of 1 GiB', () => [largeEntry(SUMMARY, 1024 * MIB)], /"summary\.json".* bytes/],
  ['too many rows', () => [users(0, '{}\n'.repeat(ROWS_MAX + 1))], /"rows\/users\/00000000\.ndjson".*rows/],
  ['10 million rows', () => [users(0, '{}\n'.repeat(10_000_000))], /"rows\/users\/00000000\.ndjson".*rows/],
  ['a row of brackets', () => [users(0, brackets)], /invalid row in "rows\/users/],
  ['a row with 100,000 columns', () => [users(0, manyKeys)], /invalid row in "rows\/users/],
  ['rows with the same number', () => [users(3), users(3)], /"rows\/users\/00000003\.ndjson" is repeated/],
  ['rows out of order', () => [users(3), users(2)], /"rows\/users\/00000002\.ndjson" is repeated/],
  ['the same part twice', () => [entryOf(BLOB, 'a'), entryOf(BLOB, 'b')], /"blobs\/1a+" is repeated/],
  ['two manifests', () => [entryOf(MANIFEST, manifest)], /unexpected entry "manifest\.json"/],
  ...['../../etc/passwd', '/etc/passwd', 'blobs/../../x', 'rows/../x/00000000.ndjson', 'rows/users/1.ndjson'].map(
    (name): [string, () => Entry[], RegExp] => [
      `the name ${name}`,
      () => [entryOf(name, 'x')],
      new RegExp(`unexpected entry "${name}"`),
    ],
  ),
  ['a name of 1 MiB', () => [entryOf('ü'.repeat(MIB / 2), 'x')], /unexpected entry "ü{80}"$/],
]

test.each(HOSTILE)('SEC-47: a backup with %s is refused', async (_, entries, message) => {
  const { error, growth } = await readHostile(archive(complete(entries())))
  expect(error).toBeInstanceOf(BackupError)
  expect(String(error)).toMatch(message)
  expect(growth).toBeLessThan(MEMORY_MAX)
})

test('SEC-47: a manifest of 1 GiB is refused', async () => {
  const { error, growth } = await readHostile(archive(Readable.from([largeEntry(MANIFEST, 1024 * MIB)])))
  expect(error).toMatchObject({ name: 'BackupError', problem: 'too-large' })
  expect(growth).toBeLessThan(MEMORY_MAX)
})

test.each(['x', 'g', 'L', 'K'])('SEC-47: a header of type %s with 1 GiB is refused', async (type) => {
  const header = (await buffer(archive(Readable.from([entryOf('x', '')])))).subarray(0, 512)
  header.write('10000000000', 124)
  header.write(`        ${type}`, 148)
  const sum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const blocks = function* () {
    yield header
    for (let index = 0; index < 1024; index++) yield Buffer.alloc(MIB, 0x20)
  }
  const { error, growth } = await readHostile(Readable.from(blocks()))
  expect(error).toBeInstanceOf(BackupError)
  expect(growth).toBeLessThan(MEMORY_MAX)
})

test('SEC-47: a backup of 400 MiB in 320 entries takes the memory of one', async () => {
  const entries = function* () {
    for (let number = 0; number < 80; number++) {
      yield users(number, line.repeat(4))
      yield largeEntry(BLOB, MIB, randomBytes(MIB))
    }
    for (let number = 80; number < 240; number++) yield users(number)
  }
  const { error, growth } = await readHostile(archive(complete(entries())))
  expect(error).toBeNull()
  expect(growth).toBeLessThan(MEMORY_MAX)
})

test('SEC-47: a backup with the MAC of another key than its manifest names is refused', async () => {
  const other = createBackupKey('file', Buffer.alloc(32, 8))
  const { error } = await readHostile(archive(complete([users(0)], other)))
  expect(error).toMatchObject({ problem: 'damaged', message: expect.stringContaining('another key') })
})

test.each([
  ['plain', '\u0001'.repeat(MAX_TEXT)],
  ['encrypted', `${'A'.repeat(64)}\n`.repeat(submissionLengthMax(MAX_TEXT) / 65)],
])('the longest %s text is within the limits', async (_, text) => {
  const row = `${JSON.stringify({ secret_id: 'a'.repeat(64), text })}\n`
  await expect(read(archive(complete([entryOf(rowsName('texts', 0), row)])))).resolves.toMatchObject({ key: KEY })
})
