/**
 * The journal of what has ended: kept apart from the database by the plugin `tombstones`, so that a restore knows what was
 * opened, burned or deleted since the backup was made. Decision 025.
 *
 * A folder of files. Each begins with `from MS`, the time it was opened; then a line for each end, before anybody is told:
 * `secret HASH LEFT` with the views that are left, 0 when it is gone, and `user HASH`. A name ends with `.log`, or
 * `.gap-MS.log` when lines were lost up to that time, or `.broken` when they still are.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** What stands for an id in the journal, which so names nothing that is still there. */
export const tombstoneOf = (id: string): string =>
  createHash('sha256').update(`mayfly tombstone ${id}`).digest('base64url')

export interface Journal {
  /** Nothing that ended since is missing (epoch ms); null: nobody can tell. */
  completeSince: number | null
  /** Views that a secret has left; 0: it is gone; undefined: as many as it had. */
  viewsLeft(id: string): number | undefined
  isUserGone(id: string): boolean
}

/** Reads all of a journal. Throws what the file system says about the folder. */
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
