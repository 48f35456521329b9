import type { Knex } from 'knex'
import { AppError, type LinkPurpose, type LockOut, type OneTimeLinkStore, type User } from '#core'
import { lockOut } from '../operations/lock-out.js'
import { moveNewEvents } from '../operations/move-new-events.js'
import { updateUser } from '../operations/update-user.js'
import { deleteExpired } from '../queries/delete-expired.js'
import { lockUser } from '../queries/lock-user.js'
import { toJoinedUser, USER_ALIASES } from '../rows/account-rows.js'
import { toRow } from '../rows/convert-rows.js'

/** Another caller has used the link: rolls the transaction back. */
class LostRace extends Error {}

export function createOneTimeLinkStore(db: Knex): OneTimeLinkStore {
  return {
    create: (link) =>
      db.transaction(async (tx) => {
        // Not every engine reports a missing user by a foreign key in the same way.
        if (!(await tx('users').where({ id: link.userId }).first('id'))) throw new AppError('storage.conflict')
        await tx('one_time_links').insert(toRow('one_time_links', { ...link, id: link.hash }))
      }),
    findReset: async (hash, now) => (await findLink(db, { hash, purpose: 'password-reset', now }))?.user ?? null,
    async resetPassword(hash, order, now) {
      await moveNewEvents(db)
      return runOnce(db, (tx) => applyReset(tx, hash, order, now))
    },
    verifyEmail: (hash, now) => runOnce(db, (tx) => applyVerification(tx, hash, now)),
    deleteExpired: (now, limit) => deleteExpired(db, 'one_time_links', now, limit),
  }
}

/** Returns null to a caller that has lost the race for a link. */
async function runOnce(db: Knex, use: (tx: Knex.Transaction) => Promise<User | null>): Promise<User | null> {
  return db.transaction(use).catch((error) => {
    if (error instanceof LostRace) return null
    throw error
  })
}

interface Sought {
  hash: string
  purpose: LinkPurpose
  now: number
}

/** Null also for a link that was sent to a former address of the user. */
async function findLink(
  db: Knex,
  { hash, purpose, now }: Sought,
): Promise<{ user: User; email: string | null } | null> {
  const row = await db('one_time_links')
    .where({ 'one_time_links.id': hash, 'one_time_links.purpose': purpose })
    .where('one_time_links.expires_at', '>', now)
    .where('one_time_links.epoch', db.ref('users.epoch'))
    .join('users', 'users.id', 'one_time_links.user_id')
    .first({ ...USER_ALIASES, link_email: 'one_time_links.email' })
  if (!row) return null
  const [user, email] = [toJoinedUser(row), row.link_email as string | null]
  return email === null || email === user.email ? { user, email } : null
}

/**
 * Finds a link, locks its user and deletes it, so that one of several callers gets it. Throws LostRace for the others.
 */
async function takeLink(tx: Knex.Transaction, sought: Sought): Promise<{ user: User; email: string | null } | null> {
  const found = await findLink(tx, sought)
  if (!found) return null
  await lockUser(tx, found.user.id)
  if ((await tx('one_time_links').where({ id: sought.hash }).delete()) === 0) throw new LostRace()
  return found
}

async function applyReset(tx: Knex.Transaction, hash: string, order: LockOut, now: number): Promise<User | null> {
  const found = await takeLink(tx, { hash, purpose: 'password-reset', now })
  if (!found) return null
  const { email, user } = found
  // The user read the message, so the address works.
  const isProven = email !== null && user.emailVerified === null
  // Finds no user if the address changed after the read.
  return lockOut(tx, user.id, {
    ...order,
    changes: { ...order.changes, ...(isProven && { emailVerified: now }) },
    ...(email !== null && { ifEmail: email }),
  })
}

async function applyVerification(tx: Knex.Transaction, hash: string, now: number): Promise<User | null> {
  const purpose = 'email-verification'
  const found = await takeLink(tx, { hash, purpose, now })
  if (!found || found.email === null) return null
  const user = await updateUser(tx, found.user.id, { emailVerified: now }, { ifEmail: found.email })
  await tx('one_time_links').where({ user_id: found.user.id, purpose }).delete()
  return user
}
