/** Files that a program reads: lists of users, exported tables, and backups. */
import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { readUserList } from '#cli/commands/user/users-csv'
import { CliError } from '#cli/lib/cli-error'
import type { Io } from '#cli/output/io'
import { archive, archiveSum, type Entry, entriesOf, entryOf } from '#core/export/archive'
import { BackupError, MANIFEST, SUMMARY } from '#core/export/backup-format'
import { createBackupKey } from '#core/export/backup-key'
import { verify } from '#core/export/read-backup'
import { formatCsvLine } from '#shared/export/csv'
import { assert, attempt, type FuzzTarget, fromBinary, toBinary, toText } from '../target.js'

const CONTROL = /(?![\t\n\r])\p{Cc}/gu

/** The text is a list of users, and its lines are the cells of an exported row. */
export const csv: FuzzTarget = {
  tokens: [
    'username,email,role\n',
    'zoë;zoe@example.org;admin\n',
    '"',
    '""',
    '\t',
    '\r\n',
    '=1+1',
    '@SUM(',
    '# note\n',
    '\ufeff',
    '\u0085',
  ],
  async run(bytes) {
    const text = toText(bytes)
    const cells = text.split('\n\n')
    const [read] = Papa.parse<string[]>(formatCsvLine(cells), { delimiter: ',', newline: '\r\n' }).data
    assert(read?.length === cells.length, 'a row keeps its number of cells')
    for (const [at, cell] of cells.entries()) {
      const shown = read?.[at] ?? ''
      assert(!/^[=+\-@\t\r]/.test(shown), 'no cell begins like a formula')
      assert([shown, shown.slice(1)].includes(cell.replace(CONTROL, '')), 'a cell keeps its text')
    }
    const io = { readStdin: async () => bytes } as unknown as Io
    const users = await attempt(
      () => readUserList('-', 'user', false, io),
      (error) => error instanceof CliError,
    )
    for (const { username, email } of users ?? []) {
      assert(/^[a-z0-9._-]+$/.test(username) && /^[^\s@]+@[^\s@]+$/.test(email), `${username} ${email} is a user`)
    }
  },
}

const KEY = createBackupKey('file', Buffer.alloc(32))
const MAX_TEXT = 1024
const isBackupError = (error: unknown) => error instanceof BackupError
/** Separates entries of an archive, and name and body of an entry. */
const [NEXT_ENTRY, BODY] = ['\x1e', '\x1f']

/** A tar archive as it is, and one with the given entries and the right checksum. */
export const backup: FuzzTarget = {
  tokens: [
    `${MANIFEST}${BODY}{"format":1,"mayfly":"0.2.0","createdAt":1,"schema":[],"secrets":true,"files":true}`,
    `rows/users/00000001.ndjson${BODY}{"id":1,"name":"zoë"}\n`,
    'rows/secrets/00000002.ndjson',
    `blobs/${'a'.repeat(32)}${BODY}x`,
    `${SUMMARY}${BODY}`,
    '{"rows":{"users":1},"blobs":0,"bytes":0,"sha256":"',
    `"key":"${KEY.id}"`,
    '"mac":"',
    NEXT_ENTRY,
    BODY,
    '../',
    'ustar\x0000',
  ],
  async run(bytes) {
    await attempt(() => verify(entriesOf(Readable.from([bytes]), MAX_TEXT), [KEY]), isBackupError)
    const entries = toBinary(bytes)
      .split(NEXT_ENTRY)
      .map((entry) => entry.split(BODY))
      // tar-stream cannot write an entry without a name.
      .filter(([name = '']) => name !== '' && !name.includes('\0'))
      .map(([name = '', ...body]) => ({ name, text: body.join(BODY) }))
    const result = await attempt(() => verify(entriesOf(archive(addSum(entries)), MAX_TEXT), [KEY]), isBackupError)
    if (!result) return
    assert(entries[0]?.name === MANIFEST, 'a backup begins with its manifest')
    assert(result.manifest.format === 1, 'a backup of a newer format is refused')
    assert(result.manifest.key !== KEY.id, 'a backup without the right MAC is refused')
  },
}

/** The summary of a mutated archive would never have the right checksum. */
async function* addSum(entries: { name: string; text: string }[]): AsyncGenerator<Entry> {
  const sum = archiveSum()
  for (const { name, text } of entries) {
    const body = fromBinary(text)
    yield sum.addEntry({ name, size: body.length, body: Readable.from([body], { objectMode: false }) })
  }
  const summary = { rows: {}, blobs: 0, bytes: 0, sha256: sum.hex() }
  yield entryOf(SUMMARY, JSON.stringify(summary))
}
