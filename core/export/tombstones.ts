/**
 * The burn journal: the plugin `tombstones` writes it outside of the database, so that a restore knows which secrets
 * were viewed, burned or deleted since the backup. Decision 025.
 *
 * The journal is a folder of files. Each starts with `from MS`, the time when it was created. Every event adds a line
 * before it is reported: `secret HASH LEFT` with the views left (0 when the secret is gone), or `user HASH` for a
 * deleted user. File names end with `.log`; with `.gap-MS.log` when lines up to that time are missing; with `.broken`
 * while lines are lost.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EpochMs } from '../shared/epoch-ms.js'

/** The hash of an id for the journal, which therefore does not contain usable ids. */
export const tombstoneOf = (id: string): string =>
  createHash('sha256').update(`mayfly tombstone ${id}`).digest('base64url')

export interface Journal {
  /** The journal has all events since this time; null: unknown. */
  completeSince: EpochMs | null
  /** Views left of a secret; 0: it is gone; undefined: unchanged. */
  viewsLeft(id: string): number | undefined
  isUserGone(id: string): boolean
}

/** Reads a journal folder. Throws file system errors. */
export async function readJournal(folder: string): Promise<Journal> {
  const left = new Map<string, number>()
  const users = new Set<string>()
  const names = (await readdir(folder)).filter((name) => /\.(log|broken)$/.test(name))
  const starts: number[] = []
  const gaps = names.flatMap((name) => Number(/\.gap-(\d+)\.log$/.exec(name)?.[1] ?? []))
  for (const name of names) {
    const lines = createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Number.POSITIVE_INFINITY })
    for await (const line of lines) {
      const [kind, what = '', count] = line.split(' ')
      if (kind === 'from') starts.push(Number(what))
      if (kind === 'user') users.add(what)
      if (kind === 'secret') left.set(what, Math.min(Number(count), left.get(what) ?? Number.POSITIVE_INFINITY))
    }
  }
  const isBroken = names.some((name) => name.endsWith('.broken'))
  return {
    completeSince: isBroken || starts.length === 0 ? null : Math.max(Math.min(...starts), ...gaps),
    viewsLeft: (id) => left.get(tombstoneOf(id)),
    isUserGone: (id) => users.has(tombstoneOf(id)),
  }
}
