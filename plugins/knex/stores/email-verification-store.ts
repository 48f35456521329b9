import type { Knex } from 'knex'
import { AppError, type EmailVerificationStore, type User } from '#core'
import { deleteExpired } from '../queries/delete-expired.js'
import { updateUser } from './user-store.js'

/** Another caller has used the verification: rolls the transaction back. */
class LostRace extends Error {}

export function createEmailVerificationStore(db: Knex): EmailVerificationStore {
  return {
    create: ({ hash, userId, email, expiresAt }) =>
      db.transaction(async (tx) => {
        // Not every engine reports a missing user by a foreign key in the same way.
        if (!(await tx('users').where({ id: userId }).first('id'))) throw new AppError('storage.conflict')
        await tx('email_verifications').insert({ id: hash, user_id: userId, email, expires_at: expiresAt })
      }),
    use: (hash, now) =>
      db
        .transaction((tx) => useVerification(tx, hash, now))
        .catch((error) => {
          if (error instanceof LostRace) return null
          throw error
        }),
    deleteExpired: (now, limit) => deleteExpired(db, 'email_verifications', now, limit),
  }
}

async function useVerification(tx: Knex.Transaction, hash: string, now: number): Promise<User | null> {
  const found = await tx('email_verifications').where({ id: hash }).where('expires_at', '>', now).first()
  if (!found) return null
  const { user_id: userId, email } = found
  // The update of the user locks its row first, so that of several callers one deletes the verification.
  const user = await updateUser(tx, userId, { emailVerified: now }, { ifEmail: email })
  if (!user) return null
  if ((await tx('email_verifications').where({ id: hash }).delete()) === 0) throw new LostRace()
  await tx('email_verifications').where({ user_id: userId }).delete()
  return user
}
