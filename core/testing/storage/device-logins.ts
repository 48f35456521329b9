import { expect, test } from 'vitest'
import type { DeviceLogin } from '../../contracts/device-logins.js'
import type { Storage } from '../../contracts/storage.js'
import type { User } from '../../contracts/users.js'
import { aDeviceLogin, aHash, anEvent, aSession, aToken, aUser, DAY, MINUTE, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { count, race, raceForCodes } from './race.js'

const ENDS = T0 + 10 * MINUTE

export function deviceLoginContract(storage: Storage): void {
  const { users, tokens, deviceLogins: store, sessions, outbox } = storage

  async function open(differing: Partial<DeviceLogin> = {}) {
    const [user, login] = [aUser(), aDeviceLogin(differing)]
    await users.create(user)
    await store.create(login)
    return { store, user, login }
  }
  const decide = ({ userCodeHash }: DeviceLogin, { id: userId, epoch }: User, approve = true, now = T0) =>
    store.decide({ userCodeHash, userId, epoch, sessionId: null, approve }, now)
  const claimOf = ({ hash }: DeviceLogin, { id: userId, epoch }: User) => ({
    hash,
    token: aToken({ userId, epoch }),
    max: 100,
    events: [],
  })

  test('find and findPending return a pending login until it expires', async () => {
    const { store, login } = await open({ address: null })
    const other = aDeviceLogin()
    await store.create(other)
    expect(await store.findPending(login.userCodeHash, ENDS - 1)).toEqual(login)
    expect(await store.find(login.hash, ENDS - 1)).toEqual({ login, decision: { state: 'pending' } })
    expect(await store.find(other.hash, T0)).toEqual({ login: other, decision: { state: 'pending' } })
    for (const hash of [aHash(), login.userCodeHash]) expect(await store.find(hash, T0)).toBeNull()
    for (const hash of [aHash(), login.hash]) expect(await store.findPending(hash, T0)).toBeNull()
    expect([await store.find(login.hash, ENDS), await store.findPending(login.userCodeHash, ENDS)]).toEqual([
      null,
      null,
    ])
  })

  test.each(['hash', 'userCodeHash'] as const)('create refuses an existing %s', async (name) => {
    const { store, login } = await open()
    await expect(store.create(aDeviceLogin({ [name]: login[name] }))).rejects.toMatchObject({
      code: 'storage.conflict',
    })
    expect(await store.findPending(login.userCodeHash, T0)).toEqual(login)
  })

  test.each([true, false])('a login is decided once, by one of several callers: approved %s', async (approve) => {
    const { store, user, login } = await open()
    const other = await createUser(users)
    const results = await race(6, (racer) => decide(login, racer % 2 === 0 ? user : other, approve))
    expect(count(results, Boolean)).toBe(1)
    const winner = results.indexOf(true) % 2 === 0 ? user : other
    const decision = approve ? { state: 'approved', user: winner } : { state: 'denied' }
    expect(await store.find(login.hash, T0)).toEqual({ login, decision })
    expect(await store.findPending(login.userCodeHash, T0)).toBeNull()
    expect(await decide(login, user, !approve)).toBe(false)
    expect(await store.find(login.hash, T0)).toEqual({ login, decision })
  })

  test('decide refuses an unknown or expired code, an unknown user, another epoch and an ended session', async () => {
    const { store, user, login } = await open()
    expect(await decide(aDeviceLogin(), user)).toBe(false)
    expect(await decide(login, user, true, ENDS)).toBe(false)
    await expect(decide(login, aUser())).rejects.toMatchObject({ code: 'user.not_found' })
    await expect(decide(login, { ...user, epoch: 1 })).rejects.toMatchObject({ code: 'auth.required' })
    const { id: sessionId } = aSession({ userId: user.id })
    const { userCodeHash } = login
    const order = { userCodeHash, userId: user.id, epoch: 0, sessionId, approve: true }
    await expect(store.decide(order, T0)).rejects.toMatchObject({ code: 'auth.required' })
    expect(await store.findPending(userCodeHash, T0)).toEqual(login)
    const session = aSession({ userId: user.id })
    await sessions.open(session, 20, T0)
    expect(await store.decide({ ...order, sessionId: session.id }, T0)).toBe(true)
  })

  test('claim stores the token and the events for exactly one of several callers', async () => {
    const { store, user, login } = await open()
    await decide(login, user)
    const claims = Array.from({ length: 6 }, () => ({ ...claimOf(login, user), events: [anEvent()] }))
    const results = await race(6, (racer) => store.claim(claims[racer] ?? claimOf(login, user), T0))
    expect(count(results, Boolean)).toBe(1)
    const won = claims[results.indexOf(true)]
    expect(await tokens.list(user.id, T0)).toEqual([won?.token])
    const stored = await outbox.list({}, { skip: 0, take: 10 })
    expect(stored.map(({ id }) => id)).toEqual(won?.events.map(({ id }) => id))
    expect(await store.find(login.hash, T0)).toBeNull()
  })

  test('claim refuses a pending, denied, expired or unknown login, and a login that another user approved', async () => {
    const [pending, denied, approved] = [await open(), await open(), await open()]
    const { store, user, login } = approved
    await decide(denied.login, denied.user, false)
    await decide(login, user)
    expect(await store.claim(claimOf(pending.login, pending.user), T0)).toBe(false)
    expect(await store.claim(claimOf(denied.login, denied.user), T0)).toBe(false)
    expect(await store.claim(claimOf(login, user), ENDS)).toBe(false)
    expect(await store.claim(claimOf(login, denied.user), T0)).toBe(false)
    expect(await store.claim(claimOf(aDeviceLogin(), user), T0)).toBe(false)
    for (const each of [pending, denied, approved]) expect(await tokens.list(each.user.id, T0)).toEqual([])
    expect(await store.claim(claimOf(login, user), ENDS - 1)).toBe(true)
  })

  test('claim counts the live tokens of the user, and a refused claim can be repeated', async () => {
    const { store, user, login } = await open()
    const full = aToken({ userId: user.id })
    await tokens.create({ token: full, max: 1, now: T0 })
    await tokens.create({ token: aToken({ userId: user.id, expiresAt: T0 - 1 }), max: 2, now: T0 })
    await decide(login, user)
    const claim = { ...claimOf(login, user), max: 1, events: [anEvent()] }
    await expect(store.claim(claim, T0)).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await outbox.list({}, { skip: 0, take: 10 })).toEqual([])
    await tokens.remove(full.id, user.id)
    expect(await store.claim(claim, T0)).toBe(true)
  })

  test('a lock-out ends approved logins of its user only', async () => {
    const [one, other] = [await open(), await open()]
    for (const { login, user } of [one, other]) await decide(login, user)
    const raised = await users.lockOut(one.user.id, { changes: {}, keep: {} })
    expect(await one.store.find(one.login.hash, T0)).toBeNull()
    for (const user of [one.user, raised ?? one.user])
      expect(await one.store.claim(claimOf(one.login, user), T0)).toBe(false)
    expect(await one.store.claim(claimOf(other.login, other.user), T0)).toBe(true)
    // Login and token are gone.
    expect(await one.store.deleteExpired(T0 + DAY, 10)).toBe(0)
  })

  test('a concurrent lock-out and claim leave no token', async () => {
    const { store, user, login } = await open()
    await decide(login, user)
    const outcomes = await raceForCodes(2, (racer) =>
      racer === 0 ? users.lockOut(user.id, { changes: {}, keep: {} }) : store.claim(claimOf(login, user), T0),
    )
    expect(outcomes).toEqual(['done', 'done'])
    expect(await tokens.list(user.id, T0)).toEqual([])
    expect(await store.find(login.hash, T0)).toBeNull()
  })

  test('update with deleteTokens ends approved logins of its user only', async () => {
    const [one, other] = [await open(), await open()]
    for (const { login, user } of [one, other]) await decide(login, user)
    await users.update(one.user.id, {}, { deleteTokens: true })
    expect(await one.store.find(one.login.hash, T0)).toBeNull()
    expect(await one.store.find(other.login.hash, T0)).not.toBeNull()
  })

  test('approved logins end with their user', async () => {
    const { store, user, login } = await open()
    await decide(login, user)
    await users.remove(user.id, T0)
    expect(await store.find(login.hash, T0)).toBeNull()
    await expect(store.claim(claimOf(login, user), T0)).rejects.toMatchObject({ code: 'user.not_found' })
  })

  test('deleteExpired deletes up to the limit, and only expired ones', async () => {
    const { store } = await open()
    for (const minutes of [1, 2, 3]) await open({ expiresAt: T0 + minutes * MINUTE })
    expect(await store.deleteExpired(T0, 10)).toBe(0)
    expect(await store.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(2)
    expect(await store.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(1)
    expect(await store.deleteExpired(T0 + DAY, 2)).toBe(1)
  })
}
