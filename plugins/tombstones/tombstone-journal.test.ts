/** The journal over several days, on a failing disk, and as a restore reads it. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, open as openFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readJournal } from '#core/backup'
import { noLog } from '#core/runtime'
import { openTombstoneJournal } from './tombstone-journal.js'

const DAY_MS = 24 * 60 * 60_000
const START = 1_000_000

let folder: string
let clock: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-journal-'))
  clock = START
})
afterEach(() => rm(folder, { recursive: true }))

const open = (keepDays = 400) => openTombstoneJournal(folder, { keepDays, log: noLog, now: () => clock })

test('journal lists ended secrets and deleted users without their ids', async () => {
  const journal = await open()
  await Promise.all([
    journal.recordSecret('viewed', 2),
    journal.recordSecret('viewed', 1),
    journal.recordSecret('gone', 0),
    journal.recordUser('bob'),
  ])
  // Reads the journal without closing it, as after a crash.
  const read = await readJournal(folder)
  expect([read.viewsLeft('viewed'), read.viewsLeft('gone'), read.viewsLeft('other')]).toEqual([1, 0, undefined])
  expect([read.isUserGone('bob'), read.isUserGone('eve')]).toEqual([true, false])
  expect(read.completeSince).toBe(START)
  expect(execFileSync('cat', await paths()).toString()).not.toMatch(/viewed|gone|bob/)
  await journal.close()
})

test('journal starts a file every day and deletes files older than keepDays', async () => {
  const journal = await open(2)
  await journal.recordSecret('first', 0)
  for (let day = 1; day <= 4; day++) {
    clock = START + day * DAY_MS
    await journal.recordSecret(`day ${day}`, 0)
  }
  await journal.close()
  expect((await readdir(folder)).length).toBe(4)
  const read = await readJournal(folder)
  expect(read.completeSince).toBe(START + DAY_MS)
  expect([read.viewsLeft('first'), read.viewsLeft('day 4')]).toEqual([undefined, 0])
})

test('journal has a gap from a failed write until the next successful one', async () => {
  const journal = await open()
  const probe = await openFile(join(folder, 'x'), 'w')
  const fail = vi.spyOn(Object.getPrototypeOf(probe), 'datasync').mockRejectedValueOnce(new Error('ENOSPC'))
  await expect(journal.recordSecret('lost', 0)).rejects.toThrow()
  expect((await readJournal(folder)).completeSince).toBeNull()
  clock += 60_000
  await journal.recordSecret('kept', 0)
  expect((await readJournal(folder)).completeSince).toBe(clock)
  fail.mockRestore()
  await probe.close()
  await journal.close()
})

test('folder without journal files is not complete at any time', async () => {
  await writeFile(join(folder, 'notes.txt'), 'from 1\n')
  expect((await readJournal(folder)).completeSince).toBeNull()
})

const paths = async () => (await readdir(folder)).map((name) => join(folder, name))
