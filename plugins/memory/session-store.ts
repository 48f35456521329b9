import type { FoundSession, Session, SessionStore } from '#core'
import { isEqualHash } from './equal-hash.js'
import { assertFree, deleteMatching, findUserOrThrow, type SessionEntry, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createSessionStore(tables: Tables): SessionStore {
  const { sessions } = tables
  return {
    open: async (session, max, now) => openSession(tables, session, max, now),
    find: async (tokenHash, now) => findSession(tables, tokenHash, now),
    rotate: async (tokenHash, next, graceMs, now) => rotateToken(tables, tokenHash, next, graceMs, now),
    async markSeen(id, now) {
      const session = sessions.get(id)?.session
      if (session && session.expiresAt > now) session.seenAt = Math.max(session.seenAt, now)
    },
    async list(userId, now) {
      const listed = listSessions(tables, userId, now)
      return listed.sort((a, b) => b.seenAt - a.seenAt || (a.id < b.id ? 1 : -1)).map((session) => ({ ...session }))
    },
    end: async (id, userId) => sessions.get(id)?.session.userId === userId && sessions.delete(id),
    endAll: async (userId, except) =>
      deleteMatching(sessions, ({ session }) => session.userId === userId && session.id !== except, sessions.size),
    deleteExpired: async (now, limit) => deleteMatching(sessions, ({ session }) => session.expiresAt <= now, limit),
  }
}

function openSession(tables: Tables, session: Session, max: number, now: number): void {
  const { sessions } = tables
  findUserOrThrow(tables, session.userId)
  assertFree(
    sessions.has(session.id) ||
      [...sessions.values()].some((other) => isEqualHash(other.session.tokenHash, session.tokenHash)),
  )
  const newestFirst = listSessions(tables, session.userId, now).sort(
    (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  )
  for (const { id } of newestFirst.slice(max - 1)) sessions.delete(id)
  sessions.set(session.id, { session: { ...session }, previous: null })
}

function findSession(tables: Tables, tokenHash: string, now: number): FoundSession | null {
  const current = findByCurrentToken(tables, tokenHash, now)
  const found =
    current ??
    listLive(tables, now).find(({ previous }) => previous !== null && isEqualHash(previous.tokenHash, tokenHash))
  if (!found) return null
  const { session, previous } = found
  const replaced = previous && previous.until > now ? 'previous' : 'reused'
  return {
    session: { ...session },
    user: { ...findUserOrThrow(tables, session.userId) },
    token: current ? 'current' : replaced,
  }
}

function rotateToken(
  tables: Tables,
  tokenHash: string,
  next: { tokenHash: string; expiresAt: number },
  graceMs: number,
  now: number,
): boolean {
  const found = findByCurrentToken(tables, tokenHash, now)
  if (!found) return false
  found.previous = { tokenHash, until: now + graceMs }
  const expiresAt = Math.min(next.expiresAt, found.session.endsAt)
  Object.assign(found.session, { tokenHash: next.tokenHash, expiresAt })
  return true
}

const listLive = ({ sessions }: Tables, now: number): SessionEntry[] =>
  [...sessions.values()].filter(({ session }) => session.expiresAt > now)

const listSessions = (tables: Tables, userId: string, now: number): Session[] =>
  listLive(tables, now)
    .map(({ session }) => session)
    .filter((session) => session.userId === userId)

const findByCurrentToken = (tables: Tables, tokenHash: string, now: number): SessionEntry | undefined =>
  listLive(tables, now).find(({ session }) => isEqualHash(session.tokenHash, tokenHash))
