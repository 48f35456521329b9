import type { Knex } from 'knex'
import { AppError, type Authenticator, type FactorStore, type Factors, type Passkey, type RemoveFactor } from '#core'
import { addFactor, deleteOutdated } from '../operations/add-factor.js'
import { whereCurrentEpoch } from '../queries/current-epoch.js'
import { endSessions } from '../queries/end-sessions.js'
import { forgetLastFactor, hasFactor } from '../queries/forget-last-factor.js'
import { lockUser } from '../queries/lock-user.js'
import { insertEvents } from '../queries/new-events.js'
import { insertRecoveryCodes } from '../queries/recovery-codes.js'
import { toJoinedUser, USER_ALIASES } from '../rows/account-rows.js'
import { credentialHash, toAuthenticator, toAuthenticatorRow, toPasskey, toPasskeyRow } from '../rows/factor-rows.js'
import type { Row } from '../rows/tables.js'

export function createFactorStore(db: Knex): FactorStore {
  return {
    addPasskey: (passkey, max, options) =>
      db.transaction((tx) => addFactor(tx, passkey.userId, options, () => insertPasskey(tx, passkey, max))),
    addAuthenticator: (authenticator, options) =>
      db.transaction((tx) =>
        addFactor(tx, authenticator.userId, options, () => insertAuthenticator(tx, authenticator)),
      ),
    findPasskey: (credentialId) => findPasskey(db, credentialId),

    async recordPasskeyUse(id, { from, counter, backedUp, usedAt }) {
      const used = current(db, 'passkeys').where({ id, counter: from })
      return (await used.update({ counter, backed_up: backedUp, used_at: usedAt })) === 1
    },

    renamePasskey: async (id, userId, name) =>
      (await current(db, 'passkeys').where({ id, user_id: userId }).update({ name })) === 1,

    async getAuthenticator(userId) {
      const row = await current(db, 'authenticators').where({ user_id: userId }).first()
      return row ? toAuthenticator(row) : null
    },

    async findAnyAuthenticator() {
      const row = await current(db, 'authenticators').first()
      return row ? toAuthenticator(row) : null
    },

    async takeStep(userId, step, now) {
      const earlier = current(db, 'authenticators').where({ user_id: userId }).where('last_step', '<', step)
      return (await earlier.update({ last_step: step, used_at: now })) === 1
    },

    list: (userId) => listFactors(db, userId),

    replaceRecoveryCodes: (userId, hashes, events = []) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId)
        const user = await tx('users').where({ id: userId }).first('second_factor', 'epoch')
        if (!user.second_factor) return false
        await insertRecoveryCodes(tx, { userId, epoch: Number(user.epoch) }, hashes)
        await insertEvents(tx, events)
        return true
      }),

    takeRecoveryCode: async (userId, hash) =>
      (await current(db, 'recovery_codes').where({ user_id: userId, hash }).delete()) === 1,

    removePasskey: (id, userId, options) =>
      db.transaction((tx) => removeFactor(tx, userId, () => tx('passkeys').where({ id, user_id: userId }), options)),
    removeAuthenticator: (userId, options) =>
      db.transaction((tx) => removeFactor(tx, userId, () => tx('authenticators').where({ user_id: userId }), options)),

    reset: (userId, events = []) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId)
        const user = await tx('users').where({ id: userId }).first('second_factor')
        if (!user.second_factor && !(await hasFactor(tx, userId))) return false
        for (const table of ['passkeys', 'authenticators']) await tx(table).where({ user_id: userId }).delete()
        await forgetLastFactor(tx, userId)
        await endSessions(tx, userId)
        await insertEvents(tx, events)
        return true
      }),
  }
}

const current = (db: Knex, table: string) => db(table).modify(whereCurrentEpoch, db, table)

async function insertPasskey(tx: Knex.Transaction, passkey: Passkey, max: number): Promise<void> {
  const row = toPasskeyRow(passkey)
  await deleteOutdated(tx, 'passkeys', { credential_hash: row.credential_hash })
  const others = await tx('passkeys').where({ user_id: passkey.userId }).pluck('id')
  if (others.length >= max) throw new AppError('storage.conflict')
  await tx('passkeys').insert(row)
}

async function insertAuthenticator(tx: Knex.Transaction, authenticator: Authenticator): Promise<void> {
  await deleteOutdated(tx, 'authenticators', { user_id: authenticator.userId })
  await tx('authenticators').insert(toAuthenticatorRow(authenticator))
}

async function findPasskey(db: Knex, credentialId: string): ReturnType<FactorStore['findPasskey']> {
  const row: Row | undefined = await db('passkeys')
    .where({ credential_hash: credentialHash(credentialId) })
    .join('users', 'users.id', 'passkeys.user_id')
    .where('passkeys.epoch', db.ref('users.epoch'))
    .select('passkeys.*', USER_ALIASES)
    .first()
  return row ? { passkey: toPasskey(row), user: toJoinedUser(row) } : null
}

async function listFactors(db: Knex, userId: string): Promise<Factors> {
  const own = (table: string) => current(db, table).where({ user_id: userId })
  const passkeys: Row[] = await own('passkeys').orderBy([{ column: 'created_at' }, { column: 'id' }])
  const authenticator: Row | undefined = await own('authenticators').first()
  const codes = await own('recovery_codes').count({ rows: '*' }).first()
  return {
    passkeys: passkeys.map(toPasskey),
    authenticator: authenticator ? toAuthenticator(authenticator) : null,
    recoveryCodes: Number(codes?.rows ?? 0),
  }
}

/** `rows`: of the factor, without or with one row. */
async function removeFactor(
  tx: Knex.Transaction,
  userId: string,
  rows: () => Knex.QueryBuilder,
  { unlessLast = false, events = [] }: RemoveFactor = {},
): Promise<boolean> {
  await lockUser(tx, userId)
  if ((await rows().delete()) === 0) return false
  // Rolls the deletion back.
  if (unlessLast && !(await hasFactor(tx, userId))) throw new AppError('auth.last_factor')
  await forgetLastFactor(tx, userId)
  await insertEvents(tx, events)
  return true
}
