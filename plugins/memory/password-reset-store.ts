import { AppError, type PasswordReset, type PasswordResetStore, type User } from '#core'
import { deleteMatching, type Tables } from './tables.js'
import { updateUser } from './user-store.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createPasswordResetStore(tables: Tables): PasswordResetStore {
  const { passwordResets, users } = tables
  return {
    async create(reset) {
      if (!users.has(reset.userId)) throw new AppError('storage.conflict')
      passwordResets.set(reset.hash, { ...reset })
    },
    async find(hash, now) {
      const user = findUser(tables, hash, now)
      return user ? { ...user } : null
    },
    async use(hash, passwordHash, now) {
      const user = findUser(tables, hash, now)
      if (!user) return null
      const { email } = passwordResets.get(hash) as PasswordReset
      deleteMatching(passwordResets, ({ userId }) => userId === user.id, passwordResets.size)
      const isProven = email !== null && user.emailVerified === null
      const changes = { passwordHash, mustChangePassword: false, ...(isProven && { emailVerified: now }) }
      return updateUser(tables, user.id, changes, { endSessions: {}, deleteTokens: true })
    },
    deleteExpired: async (now, limit) => deleteMatching(passwordResets, ({ expiresAt }) => expiresAt <= now, limit),
  }
}

/** Undefined also for a reset that was sent to a former address of the user. */
function findUser({ passwordResets, users }: Tables, hash: string, now: number): User | undefined {
  const reset = passwordResets.get(hash)
  const user = reset && reset.expiresAt > now ? users.get(reset.userId) : undefined
  return user && [null, user.email].includes(reset?.email ?? null) ? user : undefined
}
