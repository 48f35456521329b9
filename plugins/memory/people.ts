/** Who has an account, and what is theirs: see index.ts. */
import { type ApiToken, AppError, type Session, type User } from '#core'

export interface StoredSession {
  session: Session
  previous: { tokenHash: string; until: number } | null
}

/** All by their ids. */
export interface People {
  users: Map<string, User>
  /** To ids of users, from `identityKey`. */
  identities: Map<string, string>
  sessions: Map<string, StoredSession>
  tokens: Map<string, ApiToken>
}

export const noPeople = (): People => ({
  users: new Map(),
  identities: new Map(),
  sessions: new Map(),
  tokens: new Map(),
})

/** Throws AppError `user.not_found`. */
export function userOf({ users }: People, id: string): User {
  const user = users.get(id)
  if (!user) throw new AppError('user.not_found')
  return user
}

/** Whether it belongs to that user. */
export const isOf =
  (owner: string) =>
  ({ userId }: { userId: string }): boolean =>
    userId === owner

/** Deletes up to `limit` entries that are over; answers how many. */
export function sweepEntries<T>(entries: Map<string, T>, isOver: (entry: T) => boolean, limit: number): number {
  const over = [...entries].filter(([, entry]) => isOver(entry)).slice(0, limit)
  for (const [id] of over) entries.delete(id)
  return over.length
}
