/** Backups of files that several secrets have: each blob is in the backup once. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { anUpload, aSecret, MINUTE, type OpenedStorage, openStorage, T0 } from '#core/testing'
import { keysOf } from '#core/testing/file-store/blobs'
import { createMemoryFileStore } from '#test/memory-file-store'
import { memory } from '#test/memory-plugin'
import { blobKey } from '../attachments/blob-keys.js'
import type { FileStore } from '../contracts/file-store.js'
import type { RowStore } from '../contracts/rows.js'
import { archive, entriesOf } from './archive.js'
import type { Summary } from './backup-format.js'
import { createBackupKey } from './backup-key.js'
import { restore } from './read-backup.js'
import { backupEntries } from './write-backup.js'

const KEY = createBackupKey('file', Buffer.alloc(32, 7))
/** More than a group of secrets in a backup. */
const SECRETS = 40
const SIZE = 1000

let open: OpenedStorage[] = []
afterEach(async () => {
  await Promise.all(open.map(({ close }) => close()))
  open = []
})

interface Instance {
  storage: OpenedStorage['storage']
  rows: RowStore
  files: FileStore
}

async function createInstance(): Promise<Instance> {
  const opened = await openStorage(memory)
  open.push(opened)
  return { storage: opened.storage, rows: opened.storage.rows as RowStore, files: createMemoryFileStore() }
}

/** Secrets with one file, in the order of a backup. */
async function fill({ storage, files }: Instance) {
  const upload = anUpload({ size: SIZE, parts: 1, copies: SECRETS + 1 })
  await storage.attachments.reserve(upload, { open: 9, bytes: null, windowMs: MINUTE, storedBytes: null }, T0)
  await files.put(blobKey(upload.blob, 0), Readable.from([randomBytes(SIZE)]), SIZE)
  await storage.attachments.recordPart({ id: upload.id, index: 0, expiresAt: upload.expiresAt, now: T0 })
  const secrets = Array.from({ length: SECRETS }, () => aSecret({ files: 1, maxViews: 1 }))
  const binding = { id: upload.id, tokenHash: upload.tokenHash }
  for (const secret of secrets) await storage.secrets.create({ secret, now: T0, files: [binding] })
  return { upload, ids: secrets.map(({ id }) => id).sort() }
}

/** Backs up one instance and restores it into another without the secrets that have ended since. */
async function copyInstance(from: Instance, to: Instance, ended: string[]) {
  let written: Summary | undefined
  const onEnd = (summary: Summary) => {
    written = summary
  }
  const options = { secrets: true, tokens: false, key: KEY, mayfly: '0.2.0 ☃', schema: [], onEnd }
  const stream = archive(backupEntries({ rows: from.rows, files: from.files, now: T0 }, options))
  const journal = {
    completeSince: 0,
    viewsLeft: (id: string) => (ended.includes(id) ? 0 : undefined),
    isUserGone: () => false,
  }
  const restored = await restore(entriesOf(stream, SIZE * 100), { ...to, journal }, [KEY], async () => {})
  return { written, restored }
}

test.each([
  ['no', 0],
  ['the first', 1],
  ['a group of', 16],
  ['all but one of the', SECRETS - 1],
])('a backup has a shared file once, and %s secrets that have ended since do not delete it', async (_, ended) => {
  const [from, to] = [await createInstance(), await createInstance()]
  const { upload, ids } = await fill(from)
  const { written, restored } = await copyInstance(from, to, ids.slice(0, ended))
  expect(written).toMatchObject({ blobs: 1, bytes: SIZE, rows: { attachments: SECRETS } })
  expect(restored).toMatchObject({ blobs: 1, ended, different: [], rows: { attachments: SECRETS - ended } })
  expect(await keysOf(to.files)).toEqual([blobKey(upload.blob, 0)])
  await to.storage.attachments.endUnused(T0)
  expect(await to.storage.attachments.sumBytes()).toBe(SIZE)
  for (const id of ids.slice(ended)) expect(await to.storage.attachments.listBySecret(id, T0)).toHaveLength(1)
})

test('a shared file is not restored when all its secrets have ended since', async () => {
  const [from, to] = [await createInstance(), await createInstance()]
  const { ids } = await fill(from)
  const { restored } = await copyInstance(from, to, ids)
  expect(restored).toMatchObject({ blobs: 0, ended: SECRETS, different: [] })
  expect(await keysOf(to.files)).toEqual([])
})
