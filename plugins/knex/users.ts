import type { Knex } from 'knex'
import { AppError, type User, type UserStore } from '#core'
import { lockUser } from './owners.js'
import { identityHash, OWNER, toIdentityRow, toOwner, toUser, toUserRow } from './people-rows.js'
import { hasAdmin, keepAnAdmin, lockRoles } from './roles.js'
import type { Row } from './rows.js'
import { endAll } from './sessions.js'
import { listUsers } from './user-lists.js'
import { removeUser } from './user-removal.js'

export function userStore(db: Knex): UserStore {
  return {
    create: (user, { identity, unlessAdmin = false } = {}) =>
      db.transaction(async (tx) => {
        if (unlessAdmin) {
          await lockRoles(tx)
          if (await hasAdmin(tx)) throw new AppError('storage.conflict')
        }
        await tx('users').insert(toUserRow(user))
        if (identity) await tx('identities').insert(toIdentityRow(user.id, identity))
      }),

    find: async (username) => exactly('username', username, await db('users').where({ username }).first()),
    get: async (id) => exactly('id', id, await db('users').where({ id }).first()),
    findByEmail: async (email) => exactly('email', email, await db('users').where({ email }).first()),

    async findByIdentity(identity) {
      const identities = db('identities').where({ hash: identityHash(identity) })
      const row = await identities.join('users', 'users.id', 'identities.user_id').first(OWNER)
      return row ? toOwner(row) : null
    },

    link: (userId, identity) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId)
        await tx('identities').insert(toIdentityRow(userId, identity))
      }),

    providersOf: (userId) => providersOf(db, userId),

    unlink: (userId, provider, others, { except }) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId)
        const providers = await providersOf(tx, userId)
        if (!providers.includes(provider)) return false
        const isLeft = providers.some((other) => other !== provider && others.providers.includes(other))
        const hasPassword = async () => (await tx('users').where({ id: userId }).first())?.password_hash !== null
        if (!isLeft && !(others.password && (await hasPassword()))) throw new AppError('auth.last_way')
        await tx('identities').where({ user_id: userId, provider }).delete()
        await endAll(tx, userId, except)
        return true
      }),

    hasAdmin: () => hasAdmin(db),
    list: (filter, page, now) => listUsers(db, filter, page, now),

    update: (id, changes, { endSessions } = {}) =>
      db.transaction(async (tx) => {
        if (changes.role) await lockRoles(tx)
        if (changes.role === 'user') await keepAnAdmin(tx, id)
        const user = tx('users').where({ id })
        if ((await user.clone().update(columnsOf(tx, changes))) === 0) return null
        if (endSessions) await endAll(tx, id, endSessions.except)
        return toUser(await user.first())
      }),

    remove: (id, now) => removeUser(db, id, now),
  }
}

async function providersOf(db: Knex, userId: string): Promise<string[]> {
  const providers: string[] = await db('identities').where({ user_id: userId }).pluck('provider')
  // Not by the engine: each has an order of its own.
  return [...new Set(providers)].sort()
}

/** Engines differ in whether a blank at the end counts. */
function exactly(column: string, wanted: string, row: Row | undefined): User | null {
  return row?.[column] === wanted ? toUser(row) : null
}

/** Never none, so that the update finds the user and locks them in any case. */
function columnsOf(tx: Knex, { email, role, passwordHash, generated }: Partial<User>): Row {
  const columns = { email, role, password_hash: passwordHash, generated: generated ?? tx.ref('generated') }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
