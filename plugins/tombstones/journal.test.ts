/** The journal on a disk that fails, through days, and as a restore reads it. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noLog, readJournal } from '#core/host'

import { openJournal } from './journal.js'

const DAY_MS = 24 * 60 * 60_000
const START = 1_000_000

let folder: string
let clock: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-journal-'))
  clock = START
})
afterEach(() => rm(folder, { recursive: true }))

const begin = (keepDays = 400) => openJournal(folder, { keepDays, log: noLog, now: () => clock })

test('what has ended is known to whoever reads it, and its ids are not', async () => {
  const journal = await begin()
  await Promise.all([
    journal.secret('viewed', 2),
    journal.secret('viewed', 1),
    journal.secret('gone', 0),
    journal.user('bob'),
  ])
  // Read as it is after a crash: without having been closed.
  const read = await readJournal(folder)
  expect([read.viewsLeft('viewed'), read.viewsLeft('gone'), read.viewsLeft('other')]).toEqual([1, 0, undefined])
  expect([read.isUserGone('bob'), read.isUserGone('eve')]).toEqual([true, false])
  expect(read.completeSince).toBe(START)
  expect(execFileSync('cat', await paths()).toString()).not.toMatch(/viewed|gone|bob/)
  await journal.close()
})

test('each day has a file, and those that nobody needs are deleted', async () => {
  const journal = await begin(2)
  await journal.secret('first', 0)
  for (let day = 1; day <= 4; day++) {
    clock = START + day * DAY_MS
    await journal.secret(`day ${day}`, 0)
  }
  await journal.close()
  expect((await readdir(folder)).length).toBe(4)
  const read = await readJournal(folder)
  expect(read.completeSince).toBe(START + DAY_MS)
  expect([read.viewsLeft('first'), read.viewsLeft('day 4')]).toEqual([undefined, 0])
})

test('a line that cannot be written is told, and marks the journal until it goes on', async () => {
  const journal = await begin()
  const probe = await import('node:fs/promises').then(({ open }) => open(join(folder, 'x'), 'w'))
  const fail = vi.spyOn(Object.getPrototypeOf(probe), 'datasync').mockRejectedValueOnce(new Error('ENOSPC'))
  await expect(journal.secret('lost', 0)).rejects.toThrow()
  expect((await readJournal(folder)).completeSince).toBeNull()
  clock += 60_000
  await journal.secret('kept', 0)
  expect((await readJournal(folder)).completeSince).toBe(clock)
  fail.mockRestore()
  await probe.close()
  await journal.close()
})

test('an empty folder vouches for nothing', async () => {
  await writeFile(join(folder, 'notes.txt'), 'from 1\n')
  expect((await readJournal(folder)).completeSince).toBeNull()
})

const paths = async () => (await readdir(folder)).map((name) => join(folder, name))
