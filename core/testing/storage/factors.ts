import { expect, test } from 'vitest'
import type { AddFactor } from '../../contracts/factors.js'
import type { Storage } from '../../contracts/storage.js'
import type { User } from '../../contracts/users.js'
import { aHash, anAuthenticator, anEvent, anId, aPasskey, aSession, aUser, MINUTE, T0 } from '../lib/fixtures.js'
import { count, race, raceForCodes } from './race.js'

const MAX = 20
const CONFLICT = { code: 'storage.conflict' }
const STEP = Math.floor(T0 / 30_000)
const ALL = { skip: 0, take: 100 }

function helpers({ users, factors }: Storage) {
  async function createUser(): Promise<User> {
    const user = aUser()
    await users.create(user)
    return user
  }
  const adding = (differing: Partial<AddFactor> = {}): AddFactor => ({
    recoveryCodes: [aHash(), aHash()],
    keepSession: null,
    now: T0,
    ...differing,
  })
  async function addPasskey({ id: userId }: User, differing: Partial<AddFactor> = {}) {
    const passkey = aPasskey({ userId })
    await factors.addPasskey(passkey, MAX, adding(differing))
    return passkey
  }
  const hasFactor = async ({ id }: User) => (await users.get(id))?.secondFactor
  return { createUser, adding, addPasskey, hasFactor }
}

export function factorContract(storage: Storage): void {
  const { factors, sessions, users, outbox } = storage

  const { createUser, adding, addPasskey, hasFactor } = helpers(storage)

  test('factors are found with every field', async () => {
    const user = await createUser()
    const passkey = aPasskey({ userId: user.id, createdAt: T0 + 1, counter: 2 ** 32 - 1, backedUp: false })
    const earlier = aPasskey({ userId: user.id, usedAt: T0, transports: [] })
    const authenticator = anAuthenticator({ userId: user.id, usedAt: T0 + 2 })
    expect(await factors.list(user.id)).toEqual({ passkeys: [], authenticator: null, recoveryCodes: 0 })
    expect(await factors.getAuthenticator(user.id)).toBeNull()
    await factors.addPasskey(passkey, MAX, adding())
    await factors.addPasskey(earlier, MAX, adding())
    await factors.addAuthenticator(authenticator, adding())
    expect(await factors.list(user.id)).toEqual({ passkeys: [earlier, passkey], authenticator, recoveryCodes: 2 })
    expect(await factors.getAuthenticator(user.id)).toEqual(authenticator)
    expect(await factors.findAnyAuthenticator()).toEqual(authenticator)
    await factors.removeAuthenticator(user.id)
    expect(await factors.findAnyAuthenticator()).toBeNull()
    const found = { ...user, secondFactor: true }
    expect(await factors.findPasskey(passkey.credentialId)).toEqual({ passkey, user: found })
    expect(await factors.findPasskey(`${passkey.credentialId} `)).toBeNull()
    expect(await factors.list((await createUser()).id)).toMatchObject({ passkeys: [], recoveryCodes: 0 })
  })

  test('only the first factor stores recovery codes, and ends the sessions of its user but one', async () => {
    const [user, other] = [await createUser(), await createUser()]
    const [kept, ended, others] = [
      aSession({ userId: user.id }),
      aSession({ userId: user.id }),
      aSession({ userId: other.id }),
    ]
    for (const session of [kept, ended, others]) await sessions.open(session, 20, T0)
    const first = adding({ keepSession: kept.id, now: T0 + 1 })
    expect(await factors.addPasskey(aPasskey({ userId: user.id }), MAX, first)).toBe(true)
    expect(await sessions.list(user.id, T0)).toEqual([{ ...kept, level: 2, provenAt: T0 + 1 }])
    expect(await sessions.list(other.id, T0)).toHaveLength(1)
    const later = aSession({ userId: user.id })
    await sessions.open(later, 20, T0)
    const second = adding({ keepSession: kept.id, now: T0 + 2 })
    expect(await factors.addAuthenticator(anAuthenticator({ userId: user.id }), second)).toBe(false)
    const levels = (await sessions.list(user.id, T0)).map(({ id, level, provenAt }) => [
      id === kept.id,
      level,
      provenAt,
    ])
    expect(levels.sort()).toEqual([
      [false, later.level, later.provenAt],
      [true, 2, T0 + 1],
    ])
    expect(await factors.takeRecoveryCode(user.id, second.recoveryCodes[0] ?? '')).toBe(false)
    expect(await factors.takeRecoveryCode(user.id, first.recoveryCodes[0] ?? '')).toBe(true)
    expect([await hasFactor(user), await hasFactor(other)]).toEqual([true, false])
  })

  test('a factor is refused for an unknown user, an ended session, a credential that exists and more than the maximum', async () => {
    const [user, other] = [await createUser(), await createUser()]
    const passkey = await addPasskey(other)
    const add = (differing: object, options = adding()) =>
      factors.addPasskey(aPasskey({ userId: user.id, ...differing }), 1, options)
    await expect(add({ userId: anId() })).rejects.toMatchObject({ code: 'user.not_found' })
    await expect(add({}, adding({ keepSession: anId() }))).rejects.toMatchObject({ code: 'auth.required' })
    await expect(add({ credentialId: passkey.credentialId })).rejects.toMatchObject(CONFLICT)
    await expect(add({ id: passkey.id })).rejects.toMatchObject(CONFLICT)
    expect(await hasFactor(user)).toBe(false)
    expect(await factors.list(user.id)).toMatchObject({ passkeys: [], recoveryCodes: 0 })
    await add({})
    await expect(add({})).rejects.toMatchObject(CONFLICT)
    const authenticator = anAuthenticator({ userId: user.id })
    await factors.addAuthenticator(authenticator, adding())
    await expect(factors.addAuthenticator({ ...authenticator, secret: 'other' }, adding())).rejects.toMatchObject(
      CONFLICT,
    )
    expect(await factors.getAuthenticator(user.id)).toEqual(authenticator)
  })

  test('recordPasskeyUse changes a passkey whose counter is the expected one', async () => {
    const passkey = await addPasskey(await createUser())
    const use = { from: 0, counter: 7, backedUp: false, usedAt: T0 + 1 }
    expect(await factors.recordPasskeyUse(passkey.id, { ...use, from: 1 })).toBe(false)
    expect(await factors.recordPasskeyUse(anId(), use)).toBe(false)
    expect(await factors.recordPasskeyUse(passkey.id, use)).toBe(true)
    const { from: _, ...changed } = use
    expect((await factors.findPasskey(passkey.credentialId))?.passkey).toEqual({ ...passkey, ...changed })
    // Authenticators that do not count.
    expect(await factors.recordPasskeyUse(passkey.id, { ...use, from: 7, counter: 7 })).toBe(true)
  })

  test('renamePasskey renames a passkey of this user only', async () => {
    const user = await createUser()
    const [passkey, other] = [await addPasskey(user), await addPasskey(user)]
    expect(await factors.renamePasskey(passkey.id, (await createUser()).id, 'fremd')).toBe(false)
    expect(await factors.renamePasskey(passkey.id, user.id, 'Schlüssel ☃')).toBe(true)
    const { passkeys } = await factors.list(user.id)
    expect(passkeys.map(({ name }) => name).sort()).toEqual(['Schlüssel ☃', other.name].sort())
  })

  test('takeStep accepts later time steps only', async () => {
    const [user, other] = [await createUser(), await createUser()]
    await factors.addAuthenticator(anAuthenticator({ userId: user.id, lastStep: STEP }), adding())
    for (const step of [STEP - 1, STEP]) expect(await factors.takeStep(user.id, step, T0)).toBe(false)
    expect(await factors.takeStep(other.id, STEP + 1, T0)).toBe(false)
    expect(await factors.takeStep(user.id, STEP + 1, T0 + MINUTE)).toBe(true)
    expect(await factors.getAuthenticator(user.id)).toMatchObject({ lastStep: STEP + 1, usedAt: T0 + MINUTE })
    expect(await factors.takeStep(user.id, STEP + 1, T0)).toBe(false)
  })

  test('replaceRecoveryCodes ends the earlier codes, and needs a factor', async () => {
    const user = await createUser()
    const [first, second] = [adding().recoveryCodes, adding().recoveryCodes]
    expect(await factors.replaceRecoveryCodes(user.id, first)).toBe(false)
    await addPasskey(user, { recoveryCodes: first })
    expect(await factors.replaceRecoveryCodes(user.id, second)).toBe(true)
    expect(await factors.takeRecoveryCode(user.id, first[0] ?? '')).toBe(false)
    expect(await factors.takeRecoveryCode((await createUser()).id, second[0] ?? '')).toBe(false)
    expect(await factors.takeRecoveryCode(user.id, second[0] ?? '')).toBe(true)
    expect((await factors.list(user.id)).recoveryCodes).toBe(1)
    await expect(factors.replaceRecoveryCodes(anId(), first)).rejects.toMatchObject({ code: 'user.not_found' })
  })

  test('the last factor is removed with the recovery codes, unless it has to stay', async () => {
    const user = await createUser()
    const passkey = await addPasskey(user)
    await factors.addAuthenticator(anAuthenticator({ userId: user.id }), adding())
    expect(await factors.removePasskey(passkey.id, (await createUser()).id)).toBe(false)
    expect(await factors.removePasskey(passkey.id, user.id, { unlessLast: true })).toBe(true)
    expect(await factors.removePasskey(passkey.id, user.id)).toBe(false)
    const last = factors.removeAuthenticator(user.id, { unlessLast: true })
    await expect(last).rejects.toMatchObject({ code: 'auth.last_factor' })
    expect([(await factors.list(user.id)).recoveryCodes, await hasFactor(user)]).toEqual([2, true])
    expect(await factors.removeAuthenticator(user.id)).toBe(true)
    expect(await factors.removeAuthenticator(user.id)).toBe(false)
    expect(await factors.list(user.id)).toEqual({ passkeys: [], authenticator: null, recoveryCodes: 0 })
    expect([await hasFactor(user), await factors.findPasskey(passkey.credentialId)]).toEqual([false, null])
  })

  test('reset removes all factors of one user and ends the sessions', async () => {
    const [user, other] = [await createUser(), await createUser()]
    expect(await factors.reset(user.id)).toBe(false)
    for (const each of [user, other]) {
      await addPasskey(each)
      await factors.addAuthenticator(anAuthenticator({ userId: each.id }), adding())
      await sessions.open(aSession({ userId: each.id }), 20, T0)
    }
    expect(await factors.reset(user.id)).toBe(true)
    expect(await factors.list(user.id)).toEqual({ passkeys: [], authenticator: null, recoveryCodes: 0 })
    expect([await hasFactor(user), await sessions.list(user.id, T0)]).toEqual([false, []])
    expect(await factors.list(other.id)).toMatchObject({ authenticator: { userId: other.id }, recoveryCodes: 2 })
    expect([await hasFactor(other), (await sessions.list(other.id, T0)).length]).toEqual([true, 1])
  })

  test('reset helps a user without factors who should have one', async () => {
    const user = aUser({ secondFactor: true })
    await users.create(user)
    expect(await factors.reset(user.id)).toBe(true)
    expect([await hasFactor(user), await factors.reset(user.id)]).toEqual([false, false])
  })

  test('every change stores its events', async () => {
    const user = await createUser()
    const events = Array.from({ length: 6 }, () => anEvent())
    const next = () => ({ events: [events.pop() as (typeof events)[number]] })
    const passkey = await addPasskey(user, next())
    await factors.addAuthenticator(anAuthenticator({ userId: user.id }), adding(next()))
    await factors.replaceRecoveryCodes(user.id, [], next().events)
    await factors.removePasskey(passkey.id, user.id, next())
    await factors.removePasskey(passkey.id, user.id, { events: [anEvent()] })
    await factors.removeAuthenticator(user.id, next())
    await factors.reset(user.id, [anEvent()])
    await addPasskey(user)
    await factors.reset(user.id, next().events)
    expect(await outbox.list({ state: 'pending' }, ALL)).toHaveLength(6)
  })

  test('factors of another epoch are absent, and their credentials are free', async () => {
    const [user, other] = [await createUser(), await createUser()]
    const passkey = aPasskey({ userId: user.id, epoch: 7 })
    await factors.addPasskey(passkey, MAX, adding({ recoveryCodes: [] }))
    await factors.addAuthenticator(anAuthenticator({ userId: user.id, epoch: -1 }), adding())
    expect(await factors.findPasskey(passkey.credentialId)).toBeNull()
    expect(await factors.list(user.id)).toMatchObject({ passkeys: [], authenticator: null })
    expect(await factors.getAuthenticator(user.id)).toBeNull()
    expect(await factors.takeStep(user.id, STEP + 1, T0)).toBe(false)
    const use = { from: 0, counter: 1, backedUp: false, usedAt: T0 }
    expect(await factors.recordPasskeyUse(passkey.id, use)).toBe(false)
    expect(await factors.renamePasskey(passkey.id, user.id, 'x')).toBe(false)
    await factors.addPasskey({ ...passkey, id: anId(), userId: other.id, epoch: 0 }, MAX, adding())
    await factors.addAuthenticator(anAuthenticator({ userId: user.id }), adding())
    expect(await factors.findPasskey(passkey.credentialId)).toMatchObject({ user: { id: other.id } })
    expect(await factors.getAuthenticator(user.id)).not.toBeNull()
  })

  test('factors end with their user', async () => {
    const user = await createUser()
    const passkey = await addPasskey(user)
    await factors.addAuthenticator(anAuthenticator({ userId: user.id }), adding())
    await users.remove(user.id, T0)
    expect(await factors.findPasskey(passkey.credentialId)).toBeNull()
    expect(await factors.list(user.id)).toEqual({ passkeys: [], authenticator: null, recoveryCodes: 0 })
  })
}

export function factorRaceContract(storage: Storage): void {
  const { factors, users } = storage

  const { createUser, adding, addPasskey } = helpers(storage)

  test('one of several concurrent calls uses a recovery code, a time step or a counter', async () => {
    const { id: userId } = await createUser()
    const options = adding()
    await factors.addAuthenticator(anAuthenticator({ userId }), options)
    const passkey = aPasskey({ userId })
    await factors.addPasskey(passkey, MAX, adding())
    const [hash = ''] = options.recoveryCodes
    const isTrue = (result: boolean) => result
    expect(count(await race(8, () => factors.takeRecoveryCode(userId, hash)), isTrue)).toBe(1)
    expect(count(await race(8, () => factors.takeStep(userId, STEP + 1, T0)), isTrue)).toBe(1)
    const use = { from: 0, counter: 1, backedUp: true, usedAt: T0 }
    expect(count(await race(8, () => factors.recordPasskeyUse(passkey.id, use)), isTrue)).toBe(1)
  })

  test('one of several factors that are added at once is the first, and there are never more than the maximum', async () => {
    const { id: userId } = await createUser()
    const codes = Array.from({ length: 6 }, () => adding())
    const added = await Promise.all(
      codes.map((options) => factors.addPasskey(aPasskey({ userId }), 3, options).catch(({ code }) => code)),
    )
    expect(added.map(String).sort()).toEqual(['false', 'false', ...Array(3).fill('storage.conflict'), 'true'])
    const [first = ''] = codes[added.indexOf(true)]?.recoveryCodes ?? []
    expect((await factors.list(userId)).recoveryCodes).toBe(2)
    expect(await factors.takeRecoveryCode(userId, first)).toBe(true)
  })

  test('one of two factors that are removed at once has to stay', async () => {
    const user = await createUser()
    const passkeys = [await addPasskey(user), await addPasskey(user)]
    const codes = await raceForCodes(2, (n) =>
      factors.removePasskey(passkeys[n]?.id ?? '', user.id, { unlessLast: true }),
    )
    expect(codes.sort()).toEqual(['auth.last_factor', 'done'])
    expect((await factors.list(user.id)).passkeys).toHaveLength(1)
    expect((await users.get(user.id))?.secondFactor).toBe(true)
  })
}
