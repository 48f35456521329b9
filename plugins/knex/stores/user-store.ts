import type { Knex } from 'knex'
import {
  AppError,
  type ExternalIdentity,
  type OutboxEvent,
  type User,
  type UserChanges,
  type UserStore,
  type UserUpdateOptions,
} from '#core'
import { listUsers } from '../operations/list-users.js'
import { moveWebhookEvents } from '../operations/move-new-events.js'
import { removeUser } from '../operations/remove-user.js'
import { deleteWebhookEvents } from '../queries/delete-webhook-events.js'
import { insertEvents } from '../queries/insert-events.js'
import { assertNotLastAdmin, hasAdmin, lockRoles } from '../queries/lock-roles.js'
import { lockUser } from '../queries/lock-user.js'
import { identityHash, toIdentityRow, toJoinedUser, toUser, toUserRow, USER_ALIASES } from '../rows/account-rows.js'
import type { Row } from '../rows/secret-rows.js'
import { endSessions } from './session-store.js'

export function createUserStore(db: Knex): UserStore {
  return {
    create: (user, options) => db.transaction((tx) => createUser(tx, user, options)),
    find: (username) => findBy(db, 'username', username),
    get: (id) => findBy(db, 'id', id),
    findByEmail: (email) => findBy(db, 'email', email),
    findByIdentity: (identity) => findByIdentity(db, identity),
    link: (userId, identity) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId)
        await tx('identities').insert(toIdentityRow(userId, identity))
      }),
    async takeOver(userId, identity) {
      await moveWebhookEvents(db, db('webhooks').where({ user_id: userId }))
      return db.transaction((tx) => takeOver(tx, userId, identity))
    },
    listProviders: (userId) => listProviders(db, userId),
    unlink: (userId, provider, others, { except }) =>
      db.transaction((tx) => unlinkProvider(tx, userId, provider, others, except)),
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
  if (identity) await tx('identities').insert(toIdentityRow(user.id, identity))
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
  const identities = db('identities').where({ hash: identityHash(identity) })
  const row = await identities.join('users', 'users.id', 'identities.user_id').first(USER_ALIASES)
  return row ? toJoinedUser(row) : null
}

async function takeOver(tx: Knex.Transaction, userId: string, identity: ExternalIdentity): Promise<void> {
  await lockUser(tx, userId)
  const row = toIdentityRow(userId, identity)
  await tx('identities').insert(row)
  await tx('identities').where({ user_id: userId }).whereNot({ hash: row.hash }).delete()
  const changes = { passwordHash: null, mustChangePassword: false }
  await updateUser(tx, userId, changes, { endSessions: {}, deleteTokens: true })
  const webhooks = () => tx('webhooks').where({ user_id: userId })
  await deleteWebhookEvents(tx, webhooks())
  await webhooks().delete()
  for (const table of ['password_resets', 'email_verifications']) await tx(table).where({ user_id: userId }).delete()
}

async function unlinkProvider(
  tx: Knex.Transaction,
  userId: string,
  provider: string,
  others: { providers: string[]; password: boolean },
  except: string | undefined,
): Promise<boolean> {
  await lockUser(tx, userId)
  const providers = await listProviders(tx, userId)
  if (!providers.includes(provider)) return false
  const hasOtherProvider = providers.some((other) => other !== provider && others.providers.includes(other))
  const hasPassword = async () => (await tx('users').where({ id: userId }).first())?.password_hash !== null
  if (!hasOtherProvider && !(others.password && (await hasPassword()))) throw new AppError('auth.last_way')
  await tx('identities').where({ user_id: userId, provider }).delete()
  await endSessions(tx, userId, except)
  return true
}

export async function updateUser(
  tx: Knex.Transaction,
  id: string,
  changes: UserChanges,
  { endSessions: ending, deleteTokens = false, ifEmail }: UserUpdateOptions = {},
): Promise<User | null> {
  if (changes.role) await lockRoles(tx)
  if (changes.role === 'user') await assertNotLastAdmin(tx, id)
  const user = tx('users').where({ id })
  const matching = ifEmail === undefined ? user.clone() : user.clone().where({ email: ifEmail })
  if ((await matching.update(changedColumns(tx, changes))) === 0) return null
  if (ending) await endSessions(tx, id, ending.except)
  if (deleteTokens) await tx('tokens').where({ user_id: id }).delete()
  return toUser(await user.first())
}

/** Sorted here, because each engine sorts in its own order. */
async function listProviders(db: Knex, userId: string): Promise<string[]> {
  const providers: string[] = await db('identities').where({ user_id: userId }).pluck('provider')
  return [...new Set(providers)].sort()
}

/** Never empty, so that the update always finds and locks the user. */
function changedColumns(
  tx: Knex,
  { passwordHash, mustChangePassword, emailVerified, signInAlerts, ...changes }: UserChanges,
): Row {
  const columns = {
    ...changes,
    ...{ password_hash: passwordHash, generated: mustChangePassword ?? tx.ref('generated') },
    ...{ email_verified: emailVerified, sign_in_alerts: signInAlerts },
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
