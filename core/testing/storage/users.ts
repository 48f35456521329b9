import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import type { ApiToken } from '../../contracts/tokens.js'
import type { User } from '../../contracts/users.js'
import { anIdentity, aSession, aToken, aUser, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { count, raceForCodes } from './race.js'

const CONFLICT = { code: 'storage.conflict' }

export function userContract(storage: Storage): void {
  const { users, sessions, tokens } = storage

  async function stored(differing: Partial<User> = {}): Promise<User> {
    const user = await createUser(users, differing)
    return user
  }

  test('a user is found by name, id, e-mail address and identity with every field', async () => {
    const full = {
      role: 'admin',
      mustChangePassword: true,
      passwordHash: null,
      notifications: false,
      language: 'pt-BR',
      emailVerified: T0,
      signInAlerts: false,
      suspendedAt: T0,
      signedInAt: null,
      creationDeniedBy: 'company',
      groups: { provider: 'company', names: ['Ops ☃', 'a b'] },
      assignedGroups: ['a, b', 'für ☃'],
      secondFactor: true,
      devicesSince: T0,
      defaultTtl: 3600,
      defaultViews: 3,
    } satisfies Partial<User>
    for (const user of [aUser(), aUser(full)]) {
      const identity = anIdentity()
      await users.create(user, { identity })
      expect(await users.find(user.username)).toEqual(user)
      expect(await users.get(user.id)).toEqual(user)
      expect(await users.findByEmail(user.email)).toEqual(user)
      expect(await users.findByIdentity(identity)).toEqual(user)
    }
  })

  test('SEC-26: find returns null for unknown values, another case or extra spaces', async () => {
    const user = await stored({ id: `a${aUser().id}` })
    for (const change of [() => 'nobody', (text: string) => text.toUpperCase(), (text: string) => `${text} `]) {
      expect(await users.find(change(user.username))).toBeNull()
      expect(await users.get(change(user.id))).toBeNull()
      expect(await users.findByEmail(change(user.email))).toBeNull()
    }
  })

  test.each(['id', 'username', 'email'] as const)(
    'create with an existing %s fails and stores nothing',
    async (field) => {
      const first = await stored()
      const second = aUser({ [field]: first[field] })
      const identity = anIdentity()
      await expect(users.create(second, { identity })).rejects.toMatchObject(CONFLICT)
      expect(await users.find(second.username)).toEqual(field === 'username' ? first : null)
      expect(await users.findByIdentity(identity)).toBeNull()
    },
  )

  test('create with a linked identity fails and stores nothing', async () => {
    const [first, second, identity] = [aUser(), aUser(), anIdentity()]
    await users.create(first, { identity })
    await expect(users.create(second, { identity })).rejects.toMatchObject(CONFLICT)
    expect(await users.find(second.username)).toBeNull()
    expect(await users.findByIdentity(identity)).toEqual(first)
  })

  test('one of 20 concurrent creates with one name succeeds', async () => {
    const { username } = aUser()
    const codes = await raceForCodes(20, () => users.create(aUser({ username })))
    expect(count(codes, (code) => code === 'done')).toBe(1)
    expect(count(codes, (code) => code === 'storage.conflict')).toBe(19)
  })

  test('one of 20 concurrent creates with one identity succeeds', async () => {
    const identity = anIdentity()
    const codes = await raceForCodes(20, () => users.create(aUser(), { identity }))
    expect(count(codes, (code) => code === 'done')).toBe(1)
    expect(count(codes, (code) => code === 'storage.conflict')).toBe(19)
    expect((await users.list({}, { skip: 0, take: 20 }, T0)).total).toBe(1)
  })

  test('SEC-26: identities are compared bytewise and by provider', async () => {
    const subject = `${'ß'.repeat(127)}a`
    const alike = [subject, subject.toUpperCase(), `${subject} `, `${'ß'.repeat(127)}á`, subject.slice(0, -1)]
    const identities = [...alike.map((each) => anIdentity({ subject: each })), { provider: 'other', subject }]
    const people = identities.map(() => aUser())
    for (const [index, user] of people.entries()) await users.create(user, { identity: identities[index] as never })
    for (const [index, user] of people.entries()) {
      expect(await users.findByIdentity(identities[index] as never)).toEqual(user)
    }
  })

  test('a user can have several identities, and link refuses a linked one', async () => {
    const [one, other] = [await stored(), await stored()]
    const identities = [anIdentity(), anIdentity({ provider: 'other', subject: '☃'.repeat(255) })]
    for (const identity of identities) await users.link(one.id, identity, 0)
    for (const identity of identities) {
      expect(await users.findByIdentity(identity)).toEqual(one)
      await expect(users.link(other.id, identity, 0)).rejects.toMatchObject(CONFLICT)
      expect(await users.findByIdentity(identity)).toEqual(one)
    }
    const shared = anIdentity()
    const codes = await raceForCodes(10, (racer) => users.link(racer % 2 ? one.id : other.id, shared, 0))
    expect(count(codes, (code) => code === 'done')).toBe(1)
  })

  test('link fails for an unknown user', async () => {
    const identity = anIdentity()
    await expect(users.link(aUser().id, identity, 0)).rejects.toMatchObject({ code: 'user.not_found' })
    expect(await users.findByIdentity(identity)).toBeNull()
  })

  const providersOf = async (userId: string) => (await users.listIdentities(userId)).map(({ provider }) => provider)

  test('listIdentities returns each identity of a user, by provider', async () => {
    const [user, other] = [await stored(), await stored()]
    expect(await providersOf(user.id)).toEqual([])
    for (const provider of ['two', 'company', 'one-a', 'one', 'company']) {
      await users.link(user.id, anIdentity({ provider }), 0)
    }
    await users.link(other.id, anIdentity({ provider: 'other' }), 0)
    expect(await providersOf(user.id)).toEqual(['company', 'company', 'one', 'one-a', 'two'])
    expect(await providersOf(aUser().id)).toEqual([])
  })

  test('unlink removes the identities of one provider and one user', async () => {
    const [user, other] = [await stored(), await stored()]
    const [first, second, kept, theirs] = [anIdentity(), anIdentity(), anIdentity({ provider: 'other' }), anIdentity()]
    for (const identity of [first, second, kept]) await users.link(user.id, identity, 0)
    await users.link(other.id, theirs, 0)
    const opened = [user, user, other].map(({ id }) => aSession({ userId: id }))
    for (const session of opened) await sessions.open(session, 20, T0)
    const others = { providers: ['company', 'other'], password: true }
    expect(await users.unlink({ userId: user.id, provider: 'third', others })).toBe(false)
    expect(await sessions.list(user.id, T0)).toHaveLength(2)
    expect(
      await users.unlink({
        userId: user.id,
        provider: 'company',
        others,
        except: opened[1]?.id ?? '',
      }),
    ).toBe(true)
    expect(await users.unlink({ userId: user.id, provider: 'company', others })).toBe(false)
    for (const identity of [first, second]) expect(await users.findByIdentity(identity)).toBeNull()
    expect(await users.findByIdentity(kept)).toEqual(user)
    expect(await users.findByIdentity(theirs)).toEqual(other)
    expect(await sessions.list(user.id, T0)).toEqual([opened[1]])
    expect(await sessions.list(other.id, T0)).toEqual([opened[2]])
    await expect(users.unlink({ userId: aUser().id, provider: 'company', others })).rejects.toMatchObject({
      code: 'user.not_found',
    })
  })

  test('unlink keeps the last sign-in method, also under concurrency', async () => {
    const lastWay = { code: 'auth.last_way' }
    const [without, having] = [await stored({ passwordHash: null }), await stored()]
    for (const { id } of [without, having]) await users.link(id, anIdentity(), 0)
    const session = aSession({ userId: without.id })
    await sessions.open(session, 20, T0)
    const all = { providers: ['company', 'other'], password: true }
    await expect(users.unlink({ userId: without.id, provider: 'company', others: all })).rejects.toMatchObject(lastWay)
    await users.link(without.id, anIdentity({ provider: 'gone' }), 0)
    await expect(users.unlink({ userId: without.id, provider: 'company', others: all })).rejects.toMatchObject(lastWay)
    await expect(
      users.unlink({ userId: having.id, provider: 'company', others: { ...all, password: false } }),
    ).rejects.toMatchObject(lastWay)
    expect(await providersOf(without.id)).toEqual(['company', 'gone'])
    expect(await sessions.list(without.id, T0)).toEqual([session])
    expect(await users.unlink({ userId: having.id, provider: 'company', others: all })).toBe(true)
    expect(await users.unlink({ userId: without.id, provider: 'gone', others: all })).toBe(true)
    await users.link(without.id, anIdentity({ provider: 'other' }), 0)
    const codes = await raceForCodes(10, (racer) =>
      users.unlink({ userId: without.id, provider: racer % 2 ? 'company' : 'other', others: all }),
    )
    expect(count(codes, (code) => code === 'auth.last_way')).toBe(5)
    expect(await providersOf(without.id)).toHaveLength(1)
  })

  test('unlinkIdentity removes one identity of the user, also the last one', async () => {
    const [user, other] = [await stored(), await stored()]
    await users.link(user.id, anIdentity({ provider: 'company' }), 0)
    await users.link(user.id, anIdentity({ provider: 'other' }), 0)
    const [first, second] = (await users.listIdentities(user.id)).map(({ id }) => id)
    expect(await users.unlinkIdentity(other.id, first ?? '')).toBe(false)
    expect(await users.unlinkIdentity(user.id, first ?? '')).toBe(true)
    expect(await users.unlinkIdentity(user.id, first ?? '')).toBe(false)
    expect((await users.listIdentities(user.id)).map(({ id }) => id)).toEqual([second])
    expect(await users.unlinkIdentity(user.id, second ?? '')).toBe(true)
    expect(await users.listIdentities(user.id)).toEqual([])
  })

  test('update changes only the given fields and returns the user', async () => {
    const [user, other] = [await stored(), await stored()]
    const steps = [
      { email: `neu+${user.email}` },
      { role: 'admin' },
      { passwordHash: null, mustChangePassword: true },
      { mustChangePassword: false },
      { notifications: false },
      { language: 'zh-Hant-TW' },
      { emailVerified: T0 },
      { signInAlerts: false },
      { emailVerified: null },
      {},
    ] as const
    let expected: User = user
    for (const step of steps) {
      expected = { ...expected, ...step }
      expect(await users.update(user.id, step)).toEqual(expected)
      expect(await users.get(user.id)).toEqual(expected)
    }
    expect(await users.get(other.id)).toEqual(other)
    expect(await users.update(aUser().id, { mustChangePassword: true })).toBeNull()
    expect(await users.update(aUser().id, {})).toBeNull()
  })

  test('update with ifEmail changes nothing for another address', async () => {
    const user = await stored()
    await sessions.open(aSession({ userId: user.id }), 20, T0)
    const changes = { emailVerified: T0 }
    expect(await users.update(user.id, changes, { ifEmail: `x${user.email}`, endSessions: {} })).toBeNull()
    expect(await users.get(user.id)).toEqual(user)
    expect(await sessions.list(user.id, T0)).toHaveLength(1)
    expect(await users.update(user.id, changes, { ifEmail: user.email })).toEqual({ ...user, ...changes })
  })

  test('update with an existing e-mail address fails and changes nothing', async () => {
    const [user, other] = [await stored(), await stored()]
    const session = aSession({ userId: user.id })
    await sessions.open(session, 20, T0)
    const changing = users.update(user.id, { email: other.email, mustChangePassword: true }, { endSessions: {} })
    await expect(changing).rejects.toMatchObject(CONFLICT)
    expect(await users.get(user.id)).toEqual(user)
    expect(await sessions.list(user.id, T0)).toEqual([session])
    // A user can keep the own address.
    expect(await users.update(user.id, { email: user.email })).toEqual(user)
  })

  test("update with deleteTokens deletes the user's tokens, and no sessions", async () => {
    const [user, other] = [await stored(), await stored()]
    const session = aSession({ userId: user.id })
    await sessions.open(session, 20, T0)
    const own = [aToken({ userId: user.id }), aToken({ userId: user.id })]
    const theirs = aToken({ userId: other.id })
    for (const token of [...own, theirs]) await tokens.create({ token, max: 10, now: T0 })
    await users.update(user.id, { passwordHash: null })
    expect(await tokens.list(user.id, T0)).toHaveLength(2)
    expect(await users.update(user.id, {}, { deleteTokens: true })).toMatchObject({ id: user.id })
    expect(await tokens.list(user.id, T0)).toEqual([])
    expect(await tokens.list(other.id, T0)).toEqual([theirs])
    expect(await sessions.list(user.id, T0)).toEqual([session])
    await tokens.create({ token: own[0] as ApiToken, max: 10, now: T0 })
    const taken = users.update(user.id, { email: other.email }, { deleteTokens: true })
    await expect(taken).rejects.toMatchObject(CONFLICT)
    expect(await tokens.list(user.id, T0)).toHaveLength(1)
  })

  test('update with endSessions ends all sessions except one', async () => {
    const [user, other] = [await stored(), await stored()]
    const opened = [user, user, user, other].map(({ id }) => aSession({ userId: id }))
    for (const session of opened) await sessions.open(session, 20, T0)
    const left = async () => (await Promise.all([user, other].map(({ id }) => sessions.list(id, T0)))).flat()
    await users.update(user.id, { mustChangePassword: true })
    expect(await left()).toHaveLength(4)
    await users.update(user.id, { passwordHash: 'other' }, { endSessions: { except: opened[1]?.id ?? '' } })
    expect(await left()).toEqual([opened[1], opened[3]])
    await users.update(user.id, {}, { endSessions: {} })
    expect(await left()).toEqual([opened[3]])
  })

  test('stored users are independent of the objects of the caller', async () => {
    const user = await stored()
    const found = await users.find(user.username)
    if (found) found.role = 'admin'
    const updated = await users.update(user.id, {})
    if (updated) updated.role = 'admin'
    user.role = 'admin'
    expect(await users.find(user.username)).toMatchObject({ role: 'user' })
    expect(await users.hasAdmin()).toBe(false)
  })
}
