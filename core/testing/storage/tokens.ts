import { expect, test } from 'vitest'
import type { Session } from '../../contracts/sessions.js'
import type { Storage } from '../../contracts/storage.js'
import type { ApiToken } from '../../contracts/tokens.js'
import type { User } from '../../contracts/users.js'
import { anEvent, anId, aSession, aToken, DAY, MINUTE, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { count, race, raceForCodes } from './race.js'

const MOST = 20
const GIB = 2 ** 30

export function tokenContract(storage: Storage): void {
  const { users, tokens, sessions, outbox } = storage

  async function someone(): Promise<User> {
    const user = await createUser(users)
    return user
  }
  async function made(differing: Partial<ApiToken> = {}): Promise<ApiToken> {
    const token = aToken({ ...differing, userId: differing.userId ?? (await someone()).id })
    await tokens.create({ token, max: MOST, now: T0 })
    return token
  }
  const leftOf = async ({ id }: ApiToken) => {
    const { secretsLeft, bytesLeft } = (await tokens.find(id, T0))?.token ?? {}
    return [secretsLeft, bytesLeft]
  }

  test('find returns every field of create and the current user', async () => {
    const user = await someone()
    const full: Partial<ApiToken> = {
      name: '☃'.repeat(255),
      scopes: ['secrets:create', 'secrets:read', 'account', 'admin'],
      usedAt: T0 + 1,
      secretsLeft: 3,
      bytesLeft: 99 * GIB,
      allowedIp: '2001:db8:ffff:ffff:ffff:ffff:ffff:0/112',
    }
    for (const differing of [full, { scopes: [] }]) {
      const token = await made({ userId: user.id, ...differing })
      expect(await tokens.find(token.id, T0)).toEqual({ token, user })
    }
    const token = await made({ userId: user.id })
    const changed = await users.update(user.id, { role: 'admin', mustChangePassword: true })
    expect(await tokens.find(token.id, T0)).toEqual({ token, user: changed })
  })

  test('find returns null for an unknown id or another case', async () => {
    const token = await made({ id: `a${anId().slice(0, 7)}` })
    for (const id of [anId(), token.id.toUpperCase(), token.hash]) {
      expect(await tokens.find(id, T0)).toBeNull()
    }
  })

  test('create fails for an existing id and for an unknown user', async () => {
    const [token, other] = [await made(), await someone()]
    const taken = aToken({ userId: other.id, id: token.id })
    await expect(tokens.create({ token: taken, max: MOST, now: T0 })).rejects.toMatchObject({
      code: 'storage.conflict',
    })
    expect(await tokens.find(token.id, T0)).toMatchObject({ token })
    const nobodys = aToken({ userId: anId() })
    await expect(tokens.create({ token: nobodys, max: MOST, now: T0 })).rejects.toMatchObject({
      code: 'user.not_found',
    })
    expect(await tokens.find(nobodys.id, T0)).toBeNull()
  })

  test('create fails after the session was ended, with a session of another user, and stores no events then', async () => {
    const [user, other] = [await someone(), await someone()]
    const [session, second, foreign] = [
      aSession({ userId: user.id }),
      aSession({ userId: user.id }),
      aSession({ userId: other.id }),
    ]
    for (const one of [session, second, foreign]) await sessions.open(one, MOST, T0)
    const create = ({ id }: Session) =>
      tokens.create({ token: aToken({ userId: user.id }), max: MOST, now: T0, events: [anEvent()], sessionId: id })
    await create(session)
    expect(await tokens.list(user.id, T0)).toHaveLength(1)
    await sessions.end(second.id, user.id)
    await users.update(user.id, {}, { endSessions: {}, deleteTokens: true })
    for (const one of [session, second, foreign])
      await expect(create(one)).rejects.toMatchObject({ code: 'auth.required' })
    expect(await tokens.list(user.id, T0)).toEqual([])
    expect(await outbox.list({}, { skip: 0, take: 9 })).toHaveLength(1)
  })

  test('concurrently with the end of all sessions and tokens, create leaves no token', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await someone()
      const session = aSession({ userId: user.id })
      await sessions.open(session, MOST, T0)
      await Promise.allSettled([
        tokens.create({ token: aToken({ userId: user.id }), max: MOST, now: T0, events: [], sessionId: session.id }),
        users.update(user.id, {}, { endSessions: {}, deleteTokens: true }),
        tokens.create({ token: aToken({ userId: user.id }), max: MOST, now: T0, events: [], sessionId: session.id }),
      ])
      expect(await tokens.list(user.id, T0)).toEqual([])
    }
  })

  test('create fails when the user has the maximum of tokens; expired ones do not count', async () => {
    const [user, other] = [await someone(), await someone()]
    await made({ userId: other.id })
    const [one, two, three] = Array.from({ length: 3 }, () => aToken({ userId: user.id })) as [
      ApiToken,
      ApiToken,
      ApiToken,
    ]
    await made({ userId: user.id, expiresAt: T0 })
    for (const token of [one, two]) await tokens.create({ token, max: 2, now: T0 })
    await expect(tokens.create({ token: three, max: 2, now: T0 })).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await tokens.find(three.id, T0)).toBeNull()
    await tokens.remove(one.id, user.id)
    await tokens.create({ token: three, max: 2, now: T0 })
    expect(await tokens.list(user.id, T0)).toHaveLength(2)
  })

  test('concurrent creates never exceed the maximum', async () => {
    const user = await someone()
    const codes = await raceForCodes(12, () => tokens.create({ token: aToken({ userId: user.id }), max: 4, now: T0 }))
    expect(count(codes, (code) => code === 'done')).toBe(4)
    expect(count(codes, (code) => code === 'storage.conflict')).toBe(8)
    expect(await tokens.list(user.id, T0)).toHaveLength(4)
  })

  test('list returns the tokens of a user, newest first', async () => {
    const user = await someone()
    await made()
    const minutes = [1, 3, 2]
    const own: ApiToken[] = []
    for (const minute of minutes) own.push(await made({ userId: user.id, createdAt: T0 + minute * MINUTE }))
    expect(await tokens.list(user.id, T0)).toEqual([own[1], own[2], own[0]])
    expect(await tokens.list(anId(), T0)).toEqual([])
  })

  test('remove deletes an own token once', async () => {
    const [token, other] = [await made(), await someone()]
    expect(await tokens.remove(token.id, other.id)).toBe(false)
    expect(await tokens.remove(anId(), token.userId)).toBe(false)
    expect(await tokens.find(token.id, T0)).not.toBeNull()
    const results = await race(10, () => tokens.remove(token.id, token.userId))
    expect(count(results, Boolean)).toBe(1)
    expect(await tokens.find(token.id, T0)).toBeNull()
    expect(await tokens.list(token.userId, T0)).toEqual([])
  })

  test('markUsed updates usedAt', async () => {
    const [token, other] = [await made(), await made()]
    for (const [now, usedAt] of [
      [T0 + 5, T0 + 5],
      [T0 + 3, T0 + 5],
      [T0 + DAY, T0 + DAY],
    ] as const) {
      await tokens.markUsed(token.id, now)
      expect(await tokens.find(token.id, T0)).toMatchObject({ token: { usedAt } })
    }
    await tokens.markUsed(anId(), T0)
    expect(await tokens.find(other.id, T0)).toMatchObject({ token: { usedAt: null } })
  })

  test('an expired token is absent', async () => {
    const token = await made({ secretsLeft: 5 })
    const [before, after] = [token.expiresAt - 1, token.expiresAt]
    expect(await tokens.find(token.id, before)).not.toBeNull()
    expect(await tokens.find(token.id, after)).toBeNull()
    expect(await tokens.list(token.userId, before)).toEqual([token])
    expect(await tokens.list(token.userId, after)).toEqual([])
    expect(await tokens.spend(token.id, 0, after)).toBe(false)
    await tokens.markUsed(token.id, after)
    expect(await tokens.find(token.id, before)).toMatchObject({ token })
  })

  test('spend charges one secret and its bytes while enough is left', async () => {
    const token = await made({ secretsLeft: 3, bytesLeft: 5 * GIB })
    expect(await tokens.spend(token.id, 5 * GIB + 1, T0)).toBe(false)
    expect(await leftOf(token)).toEqual([3, 5 * GIB])
    expect(await tokens.spend(token.id, 3 * GIB, T0)).toBe(true)
    expect(await tokens.spend(token.id, 3 * GIB, T0)).toBe(false)
    expect(await tokens.spend(token.id, 2 * GIB, T0)).toBe(true)
    expect(await leftOf(token)).toEqual([1, 0])
    expect(await tokens.spend(token.id, 0, T0)).toBe(true)
    expect(await tokens.spend(token.id, 0, T0)).toBe(false)
    expect(await leftOf(token)).toEqual([0, 0])
    expect(await tokens.spend(anId(), 0, T0)).toBe(false)
  })

  test('spend keeps an unlimited quota unlimited', async () => {
    const [free, bySecrets, byBytes] = [await made(), await made({ secretsLeft: 1 }), await made({ bytesLeft: 10 })]
    for (const token of [free, bySecrets, byBytes]) expect(await tokens.spend(token.id, 10, T0)).toBe(true)
    expect(await tokens.spend(free.id, 2 ** 45, T0)).toBe(true)
    expect(await tokens.spend(bySecrets.id, 0, T0)).toBe(false)
    expect(await tokens.spend(byBytes.id, 1, T0)).toBe(false)
    expect(await tokens.spend(byBytes.id, 0, T0)).toBe(true)
    await tokens.refund(free.id, 10)
    expect(await Promise.all([free, bySecrets, byBytes].map(leftOf))).toEqual([
      [null, null],
      [0, null],
      [null, 0],
    ])
  })

  test('refund restores the charges of spend', async () => {
    const [token, other] = [await made({ secretsLeft: 1, bytesLeft: 100 }), await made({ secretsLeft: 1 })]
    await tokens.spend(token.id, 70, T0)
    await tokens.refund(token.id, 70)
    expect(await leftOf(token)).toEqual([1, 100])
    expect(await leftOf(other)).toEqual([1, null])
    expect(await tokens.spend(token.id, 100, T0)).toBe(true)
    await tokens.refund(anId(), 1)
  })

  test('concurrent spends never exceed the quota', async () => {
    const [bySecrets, byBytes] = [await made({ secretsLeft: 7 }), await made({ bytesLeft: 1000 })]
    const results = await race(20, () => tokens.spend(bySecrets.id, 1, T0))
    expect(count(results, Boolean)).toBe(7)
    const inBytes = await race(20, () => tokens.spend(byBytes.id, 150, T0))
    expect(count(inBytes, Boolean)).toBe(6)
    expect(await leftOf(bySecrets)).toEqual([0, null])
    expect(await leftOf(byBytes)).toEqual([null, 100])
  })

  test('concurrent refunds restore the whole quota', async () => {
    const token = await made({ secretsLeft: 10, bytesLeft: 1000 })
    await race(10, () => tokens.spend(token.id, 100, T0))
    await race(10, () => tokens.refund(token.id, 100))
    expect(await leftOf(token)).toEqual([10, 1000])
  })

  test('deleteExpired deletes up to limit expired tokens', async () => {
    const { id: userId } = await someone()
    for (let minute = 1; minute <= 5; minute++) await made({ userId, expiresAt: T0 + minute * MINUTE })
    expect(await tokens.deleteExpired(T0, 10)).toBe(0)
    expect(await tokens.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(2)
    expect(await tokens.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(1)
    expect(await tokens.deleteExpired(T0 + 3 * MINUTE, 2)).toBe(0)
    expect(await tokens.list(userId, T0)).toHaveLength(2)
    const swept = await race(4, () => tokens.deleteExpired(T0 + DAY, 10))
    expect(swept.reduce((sum, each) => sum + each)).toBe(2)
    expect(await tokens.list(userId, T0)).toEqual([])
  })

  test('stored tokens are independent of the objects of the caller', async () => {
    const token = await made()
    const kept = structuredClone(token)
    const found = await tokens.find(token.id, T0)
    const listed = (await tokens.list(token.userId, T0))[0]
    for (const each of [token, found?.token, listed]) {
      each?.scopes.push('admin')
      Object.assign(each ?? {}, { expiresAt: 0 })
    }
    if (found) found.user.role = 'admin'
    expect(await tokens.find(kept.id, T0)).toMatchObject({ token: kept, user: { role: 'user' } })
  })
}
