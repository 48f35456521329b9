import { expect, test } from 'vitest'
import type { LinkPurpose } from '../../contracts/one-time-links.js'
import type { Storage } from '../../contracts/storage.js'
import { aHash, aSession, aToken, MINUTE, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { race } from './race.js'

const ORDER = {
  changes: { passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$bmV3', mustChangePassword: false },
  keep: {},
}

export function oneTimeLinkContract(storage: Storage): void {
  const { users, sessions, tokens, oneTimeLinks: store } = storage

  /** The store, and a user with a link that expires after a minute. */
  async function open(purpose: LinkPurpose) {
    const user = await createUser(users, { mustChangePassword: true })
    const link = { hash: aHash(), purpose, userId: user.id, email: user.email, expiresAt: T0 + MINUTE, epoch: 0 }
    await store.create(link)
    return { store, user, ...link }
  }

  test('findReset returns the user until the reset expires', async () => {
    const opened = await open('password-reset')
    const { store, user, hash } = opened
    expect(await store.findReset(hash, T0 + MINUTE - 1)).toEqual(user)
    expect(await store.findReset(hash, T0 + MINUTE)).toBeNull()
    expect(await store.findReset(aHash(), T0)).toBeNull()
    expect(await store.resetPassword(hash, ORDER, T0 + MINUTE)).toBeNull()
    expect(await users.get(user.id)).toEqual(user)
  })

  test('resetPassword sets the password once, and ends sessions, API tokens and other resets of the user only', async () => {
    const opened = await open('password-reset')
    const other = await open('password-reset')
    const { store, purpose, user, hash } = opened
    const second = { purpose, hash: aHash(), userId: user.id, email: null, expiresAt: T0 + MINUTE, epoch: 0 }
    await store.create(second)
    for (const { id: userId } of [user, other.user]) {
      await sessions.open(aSession({ userId }), 20, T0)
      await tokens.create({ token: aToken({ userId }), max: 100, now: T0 })
    }
    const results = await race(5, () => store.resetPassword(hash, ORDER, T0))
    const changed = { ...user, ...ORDER.changes, emailVerified: T0, epoch: 1 }
    expect(results.filter((result) => result !== null)).toEqual([changed])
    expect(await users.get(user.id)).toEqual(changed)
    expect(await store.findReset(second.hash, T0)).toBeNull()
    expect([await sessions.list(user.id, T0), await tokens.list(user.id, T0)]).toEqual([[], []])
    expect(await sessions.list(other.user.id, T0)).toHaveLength(1)
    expect(await tokens.list(other.user.id, T0)).toHaveLength(1)
    expect(await store.findReset(other.hash, T0)).toEqual(other.user)
  })

  test('a reset is absent while the user has another address', async () => {
    const opened = await open('password-reset')
    const { store, user, hash, email } = opened
    const moved = await users.update(user.id, { email: `neu+${email}` })
    expect(await store.findReset(hash, T0)).toBeNull()
    expect(await store.resetPassword(hash, ORDER, T0)).toBeNull()
    expect(await users.get(user.id)).toEqual(moved)
    const back = await users.update(user.id, { email })
    expect(await store.findReset(hash, T0)).toEqual(back)
  })

  test('resetPassword verifies the address of the reset, if it is known, and keeps the time of an earlier verification', async () => {
    const [unknown, verified] = [await open('password-reset'), await open('password-reset')]
    await users.update(verified.userId, { emailVerified: T0 - MINUTE })
    const hash = aHash()
    await unknown.store.create({
      hash,
      purpose: 'password-reset',
      userId: unknown.userId,
      email: null,
      expiresAt: T0 + MINUTE,
      epoch: 0,
    })
    expect(await unknown.store.resetPassword(hash, ORDER, T0)).toMatchObject({ emailVerified: null })
    expect(await verified.store.resetPassword(verified.hash, ORDER, T0)).toMatchObject({ emailVerified: T0 - MINUTE })
    expect((await users.get(unknown.userId))?.emailVerified).toBeNull()
  })

  test('verifyEmail verifies the address once, and deletes the other verifications of the user only', async () => {
    const opened = await open('email-verification')
    const other = await open('email-verification')
    const { store, purpose, user, hash, email } = opened
    const second = { purpose, hash: aHash(), userId: user.id, email, expiresAt: T0 + MINUTE, epoch: 0 }
    await store.create(second)
    const results = await race(5, () => store.verifyEmail(hash, T0 + 1))
    const changed = { ...user, emailVerified: T0 + 1 }
    expect(results.filter((result) => result !== null)).toEqual([changed])
    expect(await users.get(user.id)).toEqual(changed)
    expect(await store.verifyEmail(second.hash, T0 + 1)).toBeNull()
    expect(await store.verifyEmail(other.hash, T0 + 1)).toEqual({ ...other.user, emailVerified: T0 + 1 })
  })

  test('verifyEmail returns null for an unknown or expired verification and for another address', async () => {
    const opened = await open('email-verification')
    const moved = await open('email-verification')
    const { store, user, hash } = opened
    expect(await store.verifyEmail(aHash(), T0)).toBeNull()
    expect(await store.verifyEmail(hash, T0 + MINUTE)).toBeNull()
    expect(await users.get(user.id)).toEqual(user)
    const email = `neu+${moved.email}`
    await users.update(moved.user.id, { email })
    expect(await store.verifyEmail(moved.hash, T0)).toBeNull()
    expect(await users.get(moved.user.id)).toEqual({ ...moved.user, email })
  })

  test('a link is absent for the other purpose', async () => {
    const [reset, verification] = [await open('password-reset'), await open('email-verification')]
    expect(await store.verifyEmail(reset.hash, T0)).toBeNull()
    expect(await store.findReset(verification.hash, T0)).toBeNull()
    expect(await store.resetPassword(verification.hash, ORDER, T0)).toBeNull()
    for (const { user } of [reset, verification]) expect(await users.get(user.id)).toEqual(user)
    expect(await store.findReset(reset.hash, T0)).toEqual(reset.user)
  })

  test('a verification of an unknown address proves nothing', async () => {
    const { store, user } = await open('email-verification')
    const hash = aHash()
    const expiresAt = T0 + MINUTE
    await store.create({ hash, purpose: 'email-verification', userId: user.id, email: null, expiresAt, epoch: 0 })
    expect(await store.verifyEmail(hash, T0)).toBeNull()
    expect(await users.get(user.id)).toEqual(user)
  })

  test('links end with their user, and an unknown user gets none', async () => {
    const { store, purpose, user, hash } = await open('password-reset')
    await users.remove(user.id, T0)
    expect(await store.findReset(hash, T0)).toBeNull()
    const unknown = { hash: aHash(), purpose, userId: user.id, email: null, expiresAt: T0 + MINUTE, epoch: 0 }
    await expect(store.create(unknown)).rejects.toMatchObject({ code: 'storage.conflict' })
  })

  test('deleteExpired deletes up to the limit, and only expired ones', async () => {
    const [{ store }] = [await open('password-reset'), await open('email-verification'), await open('password-reset')]
    expect(await store.deleteExpired(T0 + MINUTE - 1, 10)).toBe(0)
    expect(await store.deleteExpired(T0 + MINUTE, 2)).toBe(2)
    expect(await store.deleteExpired(T0 + MINUTE, 2)).toBe(1)
  })
}
