import type { Knex } from 'knex'
import {
  AppError,
  type ExternalIdentity,
  type LinkedIdentity,
  type OutboxEvent,
  type UnlinkInput,
  type User,
  type UserStore,
} from '#core'
import { listUsers } from '../operations/list-users.js'
import { lockOut } from '../operations/lock-out.js'
import { moveWebhookEvents } from '../operations/move-new-events.js'
import { removeUser } from '../operations/remove-user.js'
import { updateUser } from '../operations/update-user.js'
import { whereCurrentEpoch } from '../queries/current-epoch.js'
import { endSessions } from '../queries/end-sessions.js'
import { hasAdmin, lockRoles } from '../queries/lock-roles.js'
import { lockUser } from '../queries/lock-user.js'
import { insertEvents } from '../queries/new-events.js'
import { identityHash, toIdentityRow, toJoinedUser, toUser, toUserRow, USER_ALIASES } from '../rows/account-rows.js'
import { fromRow } from '../rows/convert-rows.js'
import type { Row } from '../rows/tables.js'

export function createUserStore(db: Knex): UserStore {
  return {
    create: (user, options) => db.transaction((tx) => createUser(tx, user, options)),
    find: (username) => findBy(db, 'username', username),
    get: (id) => findBy(db, 'id', id),
    findByEmail: (email) => findBy(db, 'email', email),
    findByIdentity: (identity) => findByIdentity(db, identity),
    link: (userId, identity, epoch) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId)
        await insertIdentity(tx, userId, identity, epoch)
      }),
    async takeOver(userId, identity) {
      await moveWebhookEvents(db, db('webhooks').where({ user_id: userId }))
      return db.transaction((tx) => takeOver(tx, userId, identity))
    },
    listIdentities: (userId) => listIdentities(db, userId),
    async lockOut(id, order) {
      await moveWebhookEvents(db, db('webhooks').where({ user_id: id }))
      return db.transaction((tx) => lockOut(tx, id, order))
    },
    unlink: (input) => db.transaction((tx) => unlinkProvider(tx, input)),
    unlinkIdentity: async (userId, id) => (await db('identities').where({ user_id: userId, hash: id }).delete()) === 1,
    hasAdmin: () => hasAdmin(db),
    list: (filter, page, now) => listUsers(db, filter, page, now),
    update: (id, changes, options) => db.transaction((tx) => updateUser(tx, id, changes, options)),
    remove: (id, now, events) => removeUser(db, id, now, events),
  }
}

async function createUser(
  tx: Knex.Transaction,
  user: User,
  {
    identity,
    unlessAdmin = false,
    events = [],
  }: { identity?: ExternalIdentity; unlessAdmin?: boolean; events?: OutboxEvent[] } = {},
): Promise<void> {
  if (unlessAdmin) {
    await lockRoles(tx)
    if (await hasAdmin(tx)) throw new AppError('storage.conflict')
  }
  await tx('users').insert(toUserRow(user))
  if (identity) await insertIdentity(tx, user.id, identity, user.epoch)
  await insertEvents(tx, events)
}

/** Compares again in JavaScript, because engines disagree about trailing spaces. */
async function findBy(db: Knex, column: 'username' | 'id' | 'email', value: string): Promise<User | null> {
  const row: Row | undefined = await db('users')
    .where({ [column]: value })
    .first()
  return row?.[column] === value ? toUser(row) : null
}

async function findByIdentity(db: Knex, identity: ExternalIdentity): Promise<User | null> {
  const identities = db('identities')
    .where({ hash: identityHash(identity) })
    .where('identities.epoch', db.ref('users.epoch'))
  const row = await identities.join('users', 'users.id', 'identities.user_id').first(USER_ALIASES)
  return row ? toJoinedUser(row) : null
}

/**
 * Replaces a row of the same identity that names an older epoch. One statement, so that rows of a concurrent link are
 * not deleted.
 */
async function insertIdentity(tx: Knex.Transaction, userId: string, identity: ExternalIdentity, epoch: number) {
  const row = toIdentityRow(userId, identity, epoch)
  const current = tx('users').where('users.id', tx.ref('identities.user_id')).select('users.epoch')
  await tx('identities').where({ hash: row.hash }).where('identities.epoch', '<>', current).delete()
  await tx('identities').insert(row)
}

async function takeOver(tx: Knex.Transaction, userId: string, identity: ExternalIdentity): Promise<void> {
  const hash = identityHash(identity)
  // A locked-out identity of the same user would be free again.
  if (await tx('identities').where({ hash }).modify(whereCurrentEpoch, tx, 'identities').first('hash'))
    throw new AppError('storage.conflict')
  const user = await lockOut(tx, userId, { changes: { passwordHash: null, mustChangePassword: false }, keep: {} })
  if (user) await insertIdentity(tx, userId, identity, user.epoch)
}

async function unlinkProvider(
  tx: Knex.Transaction,
  { userId, provider, others, except }: UnlinkInput,
): Promise<boolean> {
  await lockUser(tx, userId)
  const providers = (await listIdentities(tx, userId)).map((identity) => identity.provider)
  if (!providers.includes(provider)) return false
  const hasOtherProvider = providers.some((other) => other !== provider && others.providers.includes(other))
  const hasPassword = async () => (await tx('users').where({ id: userId }).first())?.password_hash !== null
  if (!hasOtherProvider && !(others.password && (await hasPassword()))) throw new AppError('auth.last_way')
  await tx('identities').where({ user_id: userId, provider }).delete()
  await endSessions(tx, userId, except)
  return true
}

/** Sorted here, because each engine sorts in its own order. */
async function listIdentities(db: Knex, userId: string): Promise<LinkedIdentity[]> {
  const rows: Row[] = await db('identities').where({ user_id: userId }).modify(whereCurrentEpoch, db, 'identities')
  return rows
    .map((row) => fromRow('identities', row))
    .map(({ hash: id, provider, createdAt }) => ({ id, provider, createdAt }))
    .sort((a, b) => (`${a.provider} ${a.id}` < `${b.provider} ${b.id}` ? -1 : 1))
}
