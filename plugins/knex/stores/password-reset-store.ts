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

const selectLive = (db: Knex, hash: string, now: number) =>
  db('password_resets').where({ 'password_resets.id': hash }).where('password_resets.expires_at', '>', now)

async function findUser(db: Knex, hash: string, now: number): Promise<User | null> {
  const row = await selectLive(db, hash, now).join('users', 'users.id', 'password_resets.user_id').first(USER_ALIASES)
  return row ? toJoinedUser(row) : null
}

async function useReset(tx: Knex.Transaction, hash: string, passwordHash: string, now: number): Promise<User | null> {
  const found = await findUser(tx, hash, now)
  if (!found) return null
  const email: string | null = (await selectLive(tx, hash, now).first('email'))?.email ?? null
  // The update of the user locks its row first, so that of several callers one deletes the reset.
  const changes = { passwordHash, mustChangePassword: false }
  const user = await updateUser(tx, found.id, changes, { endSessions: {}, deleteTokens: true })
  if ((await tx('password_resets').where({ id: hash }).delete()) === 0) throw new LostRace()
  await tx('password_resets').where({ user_id: found.id }).delete()
  // The user read the message, so the address works, if it is still the same.
  const isVerified = user?.emailVerified !== null || email === null
  return isVerified ? user : ((await updateUser(tx, found.id, { emailVerified: now }, { ifEmail: email })) ?? user)
}
