import { AppError, type Session, type SessionStore } from '#core'
import { type People, type StoredSession, sweepEntries, userOf } from './people.js'
import { isSame } from './same.js'

export function sessionStore(people: People): SessionStore {
  const { sessions } = people

  const live = (now: number): StoredSession[] => [...sessions.values()].filter(({ session }) => session.expiresAt > now)
  const ofUser = (userId: string, now: number): Session[] =>
    live(now)
      .map(({ session }) => session)
      .filter((session) => session.userId === userId)
  const byToken = (tokenHash: string, now: number): StoredSession | undefined =>
    live(now).find(({ session }) => isSame(session.tokenHash, tokenHash))
  const refuseTaken = (isTaken: boolean): void => {
    if (isTaken) throw new AppError('storage.conflict')
  }

  return {
    async open(session, most, now) {
      userOf(people, session.userId)
      refuseTaken(
        sessions.has(session.id) ||
          [...sessions.values()].some((other) => isSame(other.session.tokenHash, session.tokenHash)),
      )
      const others = ofUser(session.userId, now).sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      for (const { id } of others.slice(most - 1)) sessions.delete(id)
      sessions.set(session.id, { session: { ...session }, previous: null })
    },
    async find(tokenHash, now) {
      const current = byToken(tokenHash, now)
      const found = current ?? live(now).find(({ previous }) => previous && isSame(previous.tokenHash, tokenHash))
      if (!found) return null
      const { session, previous } = found
      const before = previous && previous.until > now ? 'previous' : 'reused'
      return {
        session: { ...session },
        user: { ...userOf(people, session.userId) },
        token: current ? 'current' : before,
      }
    },
    async rotate(tokenHash, next, graceMs, now) {
      const found = byToken(tokenHash, now)
      if (!found) return false
      found.previous = { tokenHash, until: now + graceMs }
      const expiresAt = Math.min(next.expiresAt, found.session.endsAt)
      Object.assign(found.session, { tokenHash: next.tokenHash, expiresAt })
      return true
    },
    async seen(id, now) {
      const session = sessions.get(id)?.session
      if (session && session.expiresAt > now) session.seenAt = Math.max(session.seenAt, now)
    },
    async list(userId, now) {
      const found = ofUser(userId, now).sort((a, b) => b.seenAt - a.seenAt || (a.id < b.id ? 1 : -1))
      return found.map((session) => ({ ...session }))
    },
    async end(id, userId) {
      return sessions.get(id)?.session.userId === userId && sessions.delete(id)
    },
    async endAll(userId, except) {
      const isTheirs = ({ session }: StoredSession) => session.userId === userId && session.id !== except
      return sweepEntries(sessions, isTheirs, sessions.size)
    },
    sweep: async (now, limit) => sweepEntries(sessions, ({ session }) => session.expiresAt <= now, limit),
  }
}
