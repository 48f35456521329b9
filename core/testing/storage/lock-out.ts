import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import type { KeptAccess, User } from '../../contracts/users.js'
import {
  aHash,
  anAuthenticator,
  anIdentity,
  aPasskey,
  aSession,
  aToken,
  aUser,
  aWebhook,
  MINUTE,
  T0,
} from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'

const NEW_PASSWORD = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$bmV3'
const NOTHING = { sessions: [], tokens: [], identities: [], webhooks: [], reset: false, verification: false }

export function lockOutContract({ users, sessions, tokens, userWebhooks, oneTimeLinks, factors }: Storage): void {
  /** A row of every table that names the security epoch, with this epoch. */
  async function createAccess({ id: userId, email }: User, epoch: number) {
    const session = aSession({ userId, epoch })
    const [token, webhook, identity] = [aToken({ userId, epoch }), aWebhook({ userId, epoch }), anIdentity()]
    const [reset, verification] = [aHash(), aHash()]
    await sessions.open(session, 20, T0)
    await tokens.create({ token, max: 100, now: T0 })
    await users.link(userId, identity, epoch)
    await userWebhooks.create(webhook, 10)
    const link = { userId, email, expiresAt: T0 + MINUTE, epoch }
    await oneTimeLinks.create({ ...link, hash: reset, purpose: 'password-reset' })
    await oneTimeLinks.create({ ...link, hash: verification, purpose: 'email-verification' })
    return { session, token, webhook, identity, reset, verification }
  }
  type Created = Awaited<ReturnType<typeof createAccess>>

  /** The rows that are found. */
  async function findAccess(userId: string, { session, token, identity, reset, verification }: Created) {
    const found = [await sessions.find(session.tokenHash, T0), await tokens.find(token.id, T0)]
    const byIdentity = await users.findByIdentity(identity)
    const lists = {
      sessions: (await sessions.list(userId, T0)).map(({ id }) => id),
      tokens: (await tokens.list(userId, T0)).map(({ id }) => id),
      identities: (await users.listIdentities(userId)).map(({ provider }) => provider),
      webhooks: (await userWebhooks.list(userId)).map(({ id }) => id),
    }
    expect(found.map((each) => each !== null)).toEqual([lists.sessions.length > 0, lists.tokens.length > 0])
    expect(byIdentity !== null).toBe(lists.identities.length > 0)
    return {
      ...lists,
      reset: (await oneTimeLinks.findReset(reset, T0)) != null,
      verification: (await oneTimeLinks.verifyEmail(verification, T0)) != null,
    }
  }

  async function lockOut(user: User, keep: KeptAccess = {}) {
    return users.lockOut(user.id, { changes: { passwordHash: NEW_PASSWORD }, keep })
  }

  test('lockOut raises the epoch and ends everything of this user only', async () => {
    const [user, other] = [aUser(), aUser()]
    for (const each of [user, other]) await users.create(each)
    const [lost, kept] = [await createAccess(user, 0), await createAccess(other, 0)]
    expect(await lockOut(user)).toEqual({ ...user, passwordHash: NEW_PASSWORD, epoch: 1 })
    expect(await findAccess(user.id, lost)).toEqual(NOTHING)
    expect(await findAccess(other.id, kept)).toMatchObject({ sessions: [kept.session.id], tokens: [kept.token.id] })
    await expect(lockOut(aUser())).rejects.toMatchObject({ code: 'user.not_found' })
  })

  test('lockOut keeps each named row', async () => {
    const user = await createUser(users)
    const [first, second] = [await createAccess(user, 0), await createAccess(user, 0)]
    const [identity] = await users.listIdentities(user.id)
    const webhooks = userWebhooks ? [first.webhook.id] : []
    const keep = { sessions: [first.session.id], tokens: [second.token.id], identities: [identity?.id ?? ''], webhooks }
    await lockOut(user, keep)
    expect((await users.listIdentities(user.id)).map(({ id }) => id)).toEqual([identity?.id])
    expect((await sessions.list(user.id, T0)).map(({ id }) => id)).toEqual(keep.sessions)
    expect((await tokens.list(user.id, T0)).map(({ id }) => id)).toEqual(keep.tokens)
    expect((await userWebhooks.list(user.id)).map(({ id }) => id)).toEqual(webhooks)
  })

  test.each([-1, 1, 2])(
    'rows of the epoch %i are absent before and after a lock-out, also if they are kept',
    async (epoch) => {
      const user = await createUser(users)
      const forged = await createAccess(user, epoch)
      expect(await findAccess(user.id, forged)).toEqual(NOTHING)
      await lockOut(user, { sessions: [forged.session.id], tokens: [forged.token.id], webhooks: [forged.webhook.id] })
      expect(await findAccess(user.id, forged)).toEqual(NOTHING)
    },
  )

  test('lockOut removes second factors and recovery codes that are not kept', async () => {
    const added = { recoveryCodes: [aHash(), aHash()], keepSession: null, now: T0 }
    const userId = (user: User) => ({ userId: user.id })
    async function createFactors() {
      const user = await createUser(users)
      const passkeys = [aPasskey(userId(user)), aPasskey(userId(user))]
      for (const passkey of passkeys) await factors.addPasskey(passkey, 20, added)
      await factors.addAuthenticator(anAuthenticator(userId(user)), added)
      return { user, ids: passkeys.map(({ id }) => id) }
    }
    async function after({ user }: { user: User }) {
      const { passkeys, authenticator, recoveryCodes } = await factors.list(user.id)
      const has = (await users.get(user.id))?.secondFactor
      return [passkeys.map(({ id, epoch }) => `${id} ${epoch}`), authenticator?.epoch, recoveryCodes, has]
    }
    const [first, second, third] = [await createFactors(), await createFactors(), await createFactors()]
    expect(await lockOut(first.user)).toMatchObject({ epoch: 1, secondFactor: false })
    expect(await after(first)).toEqual([[], undefined, 0, false])
    await lockOut(second.user, { factors: [second.ids[1] ?? '', third.ids[0] ?? '', 'recovery-codes'] })
    expect(await after(second)).toEqual([[`${second.ids[1]} 1`], undefined, 2, true])
    await lockOut(third.user, { factors: ['authenticator'] })
    expect(await after(third)).toEqual([[], 1, 0, true])
    expect(await factors.takeRecoveryCode(first.user.id, added.recoveryCodes[0] ?? '')).toBe(false)
  })

  test('an identity of an older epoch can be linked again', async () => {
    const [user, other] = [aUser(), aUser()]
    for (const each of [user, other]) await users.create(each)
    const identity = anIdentity()
    await users.link(user.id, identity, 7)
    await users.link(other.id, identity, 0)
    expect(await users.findByIdentity(identity)).toMatchObject({ id: other.id })
  })
}
