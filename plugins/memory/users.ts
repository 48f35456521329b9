import { AppError, type OutsideIdentity, type User, type UserStore } from '#core'
import type { MemoryAttachments } from './attachments.js'
import { isOf, type People, userOf } from './people.js'
import { type Entry, isUsedUp } from './secrets.js'

export function userStore(people: People, secrets: Map<string, Entry>, files: MemoryAttachments): UserStore {
  const { users, identities, sessions, tokens } = people

  const all = () => [...users.values()]
  const copy = (user: User | undefined): User | null => (user ? { ...user } : null)
  const admins = () => all().filter(({ role }) => role === 'admin')
  const keepAnAdmin = (id: string): void => {
    const [first, second] = admins()
    if (first?.id === id && !second) throw new AppError('user.last_admin')
  }
  const refuseTaken = (isTaken: boolean): void => {
    if (isTaken) throw new AppError('storage.conflict')
  }
  const secretsOf = (id: string, now: number): number =>
    [...secrets.values()].filter(({ secret }) => secret.ownerId === id && secret.expiresAt > now && !isUsedUp(secret))
      .length

  const keysOf = (id: string): string[] => [...identities].flatMap(([key, userId]) => (userId === id ? [key] : []))
  const providersOf = (id: string): string[] => [...new Set(keysOf(id).map(providerIn))].sort()
  const endSessions = (id: string, except: string | undefined): void => {
    for (const { session } of [...sessions.values()]) {
      if (session.userId === id && session.id !== except) sessions.delete(session.id)
    }
  }

  return {
    async create(user, { identity, unlessAdmin = false } = {}) {
      refuseTaken(unlessAdmin && admins().length > 0)
      refuseTaken(
        all().some(({ id, username, email }) => id === user.id || username === user.username || email === user.email),
      )
      if (identity) {
        refuseTaken(identities.has(identityKey(identity)))
        identities.set(identityKey(identity), user.id)
      }
      users.set(user.id, { ...user })
    },
    find: async (username) => copy(all().find((user) => user.username === username)),
    get: async (id) => copy(users.get(id)),
    findByEmail: async (email) => copy(all().find((user) => user.email === email)),
    findByIdentity: async (identity) => copy(users.get(identities.get(identityKey(identity)) ?? '')),
    async link(userId, identity) {
      const { id } = userOf(people, userId)
      refuseTaken(identities.has(identityKey(identity)))
      identities.set(identityKey(identity), id)
    },
    providersOf: async (userId) => providersOf(userId),
    async unlink(userId, provider, others, { except }) {
      const { passwordHash } = userOf(people, userId)
      const providers = providersOf(userId)
      if (!providers.includes(provider)) return false
      const isLeft = providers.some((other) => other !== provider && others.providers.includes(other))
      if (!isLeft && !(others.password && passwordHash !== null)) throw new AppError('auth.last_way')
      for (const key of keysOf(userId)) if (providerIn(key) === provider) identities.delete(key)
      endSessions(userId, except)
      return true
    },
    hasAdmin: async () => admins().length > 0,
    async list({ search, role }, { skip, take }, now) {
      const part = search?.toLowerCase() ?? ''
      const matching = all()
        .filter((user) => role === undefined || user.role === role)
        .filter(({ username, email }) => username.includes(part) || email.includes(part))
        .sort((a, b) => (a.username < b.username ? -1 : 1))
      const page = matching.slice(skip, skip + take)
      return { users: page.map((user) => ({ ...user, secrets: secretsOf(user.id, now) })), total: matching.length }
    },
    async update(id, { email, role, passwordHash, generated }, { endSessions: ending } = {}) {
      const user = users.get(id)
      if (!user) return null
      if (role === 'user') keepAnAdmin(id)
      refuseTaken(email !== undefined && all().some((other) => other.id !== id && other.email === email))
      const changes = Object.entries({ email, role, passwordHash, generated }).filter(
        ([, value]) => value !== undefined,
      )
      Object.assign(user, Object.fromEntries(changes))
      if (ending) endSessions(id, ending.except)
      return { ...user }
    },
    async remove(id, now) {
      if (!users.has(id)) return false
      keepAnAdmin(id)
      for (const { secret } of [...secrets.values()]) {
        if (secret.ownerId !== id) continue
        files.end(secret.id, now)
        secrets.delete(secret.id)
      }
      for (const key of keysOf(id)) identities.delete(key)
      endSessions(id, undefined)
      for (const token of [...tokens.values()].filter(isOf(id))) tokens.delete(token.id)
      return users.delete(id)
    },
  }
}

const identityKey = ({ provider, subject }: OutsideIdentity): string => JSON.stringify([provider, subject])

const providerIn = (key: string): string => JSON.parse(key)[0]
