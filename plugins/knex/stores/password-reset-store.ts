import type { Knex } from 'knex'
import { AppError, type PasswordReset, type PasswordResetStore, type User } from '#core'
import { deleteExpired } from '../queries/delete-expired.js'
import { toJoinedUser, USER_ALIASES } from '../rows/account-rows.js'
import { updateUser } from './user-store.js'

/** Another caller has used the reset: rolls the transaction back. */
class LostRace extends Error {}

export function createPasswordResetStore(db: Knex): PasswordResetStore {
  return {
    create: ({ hash, userId, email, expiresAt }: PasswordReset) =>
      db.transaction(async (tx) => {
        // Not every engine reports a missing user by a foreign key in the same way.
        if (!(await tx('users').where({ id: userId }).first('id'))) throw new AppError('storage.conflict')
        await tx('password_resets').insert({ id: hash, user_id: userId, email, expires_at: expiresAt })
      }),
    find: (hash, now) => findUser(db, hash, now),
    use: (hash, passwordHash, now) =>
      db
        .transaction((tx) => useReset(tx, hash, passwordHash, now))
        .catch((error) => {
          if (error instanceof LostRace) return null
          throw error
        }),
    deleteExpired: (now, limit) => deleteExpired(db, 'password_resets', now, limit),
  }
}

const findUser = async (db: Knex, hash: string, now: number): Promise<User | null> =>
  (await findReset(db, hash, now))?.user ?? null

/** Null also for a reset that was sent to a former address of the user. */
async function findReset(db: Knex, hash: string, now: number): Promise<{ user: User; email: string | null } | null> {
  const row = await db('password_resets')
    .where({ 'password_resets.id': hash })
    .where('password_resets.expires_at', '>', now)
    .join('users', 'users.id', 'password_resets.user_id')
    .first({ ...USER_ALIASES, reset_email: 'password_resets.email' })
  if (!row) return null
  const [user, email] = [toJoinedUser(row), row.reset_email as string | null]
  return email === null || email === user.email ? { user, email } : null
}

async function useReset(tx: Knex.Transaction, hash: string, passwordHash: string, now: number): Promise<User | null> {
  const found = await findReset(tx, hash, now)
  if (!found) return null
  const { email, user } = found
  // The user read the message, so the address works.
  const isProven = email !== null && user.emailVerified === null
  const changes = { passwordHash, mustChangePassword: false, ...(isProven && { emailVerified: now }) }
  // The update of the user locks its row first, so that of several callers one deletes the reset. It finds no row if the address
  // changed after the read.
  const ifSame = email === null ? {} : { ifEmail: email }
  const changed = await updateUser(tx, user.id, changes, { endSessions: {}, deleteTokens: true, ...ifSame })
  if (!changed) return null
  if ((await tx('password_resets').where({ id: hash }).delete()) === 0) throw new LostRace()
  await tx('password_resets').where({ user_id: user.id }).delete()
  return changed
}
