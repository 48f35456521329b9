import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aSecret, openStorage, T0 } from '#core/testing'
import { connect } from './connection.js'
import sqlite from './index.js'

/** Two bytes in UTF-8. Ids do not contain it. */
const MARK = '\u00A4'
/** Type of a page that rows share, in its first byte. See "B-tree Pages" in https://www.sqlite.org/fileformat.html. */
const LEAF_OF_TABLE = 13

let dataDir: string
let filename: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-sqlite-'))
  filename = join(dataDir, 'mayfly.db')
})
afterEach(() => rm(dataDir, { recursive: true }))

/** Runs SQL on a separate connection, and returns the first value. */
async function ask(sql: string): Promise<unknown> {
  const db = connect(filename, 1000)
  const [row] = await db.raw(sql)
  await db.destroy()
  return Object.values(row ?? {})[0]
}

test.each([1024, 4096, 65_536])(
  'shared pages never contain a part of a text of any length, with pages of %i bytes',
  async (pageSize) => {
    const db = connect(filename, 1000)
    await db.raw('PRAGMA journal_mode = DELETE')
    await db.raw(`PRAGMA page_size = ${pageSize}`)
    await db.raw('VACUUM')
    await db.destroy()
    const { storage, close } = await openStorage(sqlite, { dataDir })
    await storage.migrate()
    const lengths = [1, 2, 21, 40, ...Array.from({ length: 60 }, (_, index) => Math.ceil((index * pageSize) / 37))]
    for (const length of lengths)
      await storage.secrets.create({ secret: aSecret({ text: MARK.repeat(length) }), now: T0 })
    expect(await storage.scrub()).toBe(true)
    await close()
    const marked = splitPages(await readFile(filename), pageSize).filter((page) => page.includes(MARK))
    expect(await ask('PRAGMA page_size')).toBe(pageSize)
    expect(marked.length).toBeGreaterThanOrEqual(lengths.length - 1)
    expect(marked.filter(([type]) => type === LEAF_OF_TABLE)).toEqual([])
  },
)

test('a text of 760 characters takes one overflow page, and eight rows share a page', async () => {
  const { storage, close } = await openStorage(sqlite, { dataDir })
  await storage.migrate()
  const rows = 300
  for (let count = 0; count < rows; count++)
    await storage.secrets.create({ secret: aSecret({ text: 'x'.repeat(760) }), now: T0 })
  await close()
  const before = Number(await ask('PRAGMA page_count'))
  await ask('create table copy as select * from texts')
  const pages = Number(await ask('PRAGMA page_count')) - before
  expect(pages).toBeLessThan(rows * (1 + 1 / 7))
})

const splitPages = (file: Buffer, size: number): Buffer[] =>
  Array.from({ length: file.length / size }, (_, index) => file.subarray(index * size, (index + 1) * size))
