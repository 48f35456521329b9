import { AppError, type EmailVerificationStore } from '#core'
import { deleteMatching, type Tables } from './tables.js'
import { updateUser } from './user-store.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createEmailVerificationStore(tables: Tables): EmailVerificationStore {
  const { emailVerifications, users } = tables
  return {
    async create(verification) {
      if (!users.has(verification.userId)) throw new AppError('storage.conflict')
      emailVerifications.set(verification.hash, { ...verification })
    },
    async use(hash, now) {
      const found = emailVerifications.get(hash)
      if (!found || found.expiresAt <= now) return null
      const user = updateUser(tables, found.userId, { emailVerified: now }, { ifEmail: found.email })
      if (user) deleteMatching(emailVerifications, ({ userId }) => userId === found.userId, emailVerifications.size)
      return user
    },
    deleteExpired: async (now, limit) => deleteMatching(emailVerifications, ({ expiresAt }) => expiresAt <= now, limit),
  }
}
