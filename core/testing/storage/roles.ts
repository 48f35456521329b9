import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import type { User } from '../../contracts/users.js'
import { aSecret, aSession, aUser, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { count, race, raceForCodes } from './race.js'

const LAST = { code: 'user.last_admin' }
const isDone = (code: string) => code === 'done'

export function lastAdminContract(storage: Storage): void {
  const { users, sessions, secrets } = storage

  async function admins(number: number): Promise<User[]> {
    const made = Array.from({ length: number }, () => aUser({ role: 'admin' }))
    for (const user of made) await users.create(user)
    return made
  }
  const remaining = async () => (await users.list({ role: 'admin' }, { skip: 0, take: 100 }, T0)).total

  test('hasAdmin is true while an administrator exists', async () => {
    expect(await users.hasAdmin()).toBe(false)
    const user = await createUser(users)
    expect(await users.hasAdmin()).toBe(false)
    await users.update(user.id, { role: 'admin' })
    expect(await users.hasAdmin()).toBe(true)
  })

  test('create with unlessAdmin fails while an administrator exists', async () => {
    await users.create(aUser(), { unlessAdmin: true })
    const [first, second] = [aUser({ role: 'admin' }), aUser({ role: 'admin' })]
    await users.create(first, { unlessAdmin: true })
    await expect(users.create(second, { unlessAdmin: true })).rejects.toMatchObject({ code: 'storage.conflict' })
    await expect(users.create(aUser(), { unlessAdmin: true })).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await users.find(second.username)).toBeNull()
    await users.create(second)
    expect(await remaining()).toBe(2)
  })

  test('one of 20 concurrent creates with unlessAdmin succeeds', async () => {
    // Opens several connections: with one, the calls would not run concurrently.
    await race(20, () => users.hasAdmin())
    for (let round = 0; round < 3; round++) {
      const made = Array.from({ length: 20 }, () => aUser({ role: 'admin' }))
      const codes = await raceForCodes(20, (racer) => users.create(made[racer] as User, { unlessAdmin: true }))
      expect(count(codes, isDone)).toBe(round === 0 ? 1 : 0)
      expect(count(codes, (code) => code === 'storage.conflict')).toBe(round === 0 ? 19 : 20)
    }
    expect(await remaining()).toBe(1)
  })

  test('the last administrator cannot be demoted or deleted', async () => {
    const [admin] = (await admins(1)) as [User]
    await users.create(aUser())
    const [session, secret] = [aSession({ userId: admin.id }), aSecret({ ownerId: admin.id })]
    await sessions.open(session, 20, T0)
    await secrets.create({ secret, now: T0 })
    const demoting = users.update(admin.id, { role: 'user', mustChangePassword: true }, { endSessions: {} })
    await expect(demoting).rejects.toMatchObject(LAST)
    await expect(users.remove(admin.id, T0)).rejects.toMatchObject(LAST)
    expect(await users.get(admin.id)).toEqual(admin)
    expect(await sessions.list(admin.id, T0)).toEqual([session])
    expect(await secrets.peek(secret.id, T0)).not.toBeNull()
    expect(await users.update(admin.id, { role: 'admin' })).toEqual(admin)
  })

  test('all administrators but one can be deleted', async () => {
    const [one, two, three] = (await admins(3)) as [User, User, User]
    const other = await createUser(users)
    expect(await users.update(one.id, { role: 'user' })).toMatchObject({ role: 'user' })
    expect(await users.remove(two.id, T0)).toBe(true)
    expect(await users.remove(two.id, T0)).toBe(false)
    await expect(users.remove(three.id, T0)).rejects.toMatchObject(LAST)
    expect(await users.update(one.id, { role: 'user' })).toMatchObject({ role: 'user' })
    expect(await users.remove(one.id, T0)).toBe(true)
    expect(await users.remove(other.id, T0)).toBe(true)
    expect(await remaining()).toBe(1)
  })

  test('a suspended administrator does not count as the last one', async () => {
    const [one, two] = (await admins(2)) as [User, User]
    await users.update(two.id, { suspendedAt: T0 })
    await expect(users.update(one.id, { suspendedAt: T0 })).rejects.toMatchObject(LAST)
    await expect(users.update(one.id, { role: 'user' })).rejects.toMatchObject(LAST)
    await expect(users.remove(one.id, T0)).rejects.toMatchObject(LAST)
    expect(await users.update(two.id, { suspendedAt: null })).toEqual(two)
    expect(await users.update(one.id, { suspendedAt: T0 })).toEqual({ ...one, suspendedAt: T0 })
    expect(await users.remove(one.id, T0)).toBe(true)
  })

  test.each(['demoted', 'deleted', 'suspended', 'demoted and deleted'])(
    'one of two administrators %s concurrently stays',
    async (how) => {
      for (let round = 0; round < 10; round++) {
        const pair = await admins(2)
        for (const { id } of (await users.list({ role: 'admin' }, { skip: 0, take: 100 }, T0)).users) {
          if (!pair.some((each) => each.id === id)) await users.remove(id, T0)
        }
        const codes = await raceForCodes(2, (racer) => {
          const { id } = pair[racer] as User
          const isDeleted = how === 'deleted' || (how === 'demoted and deleted' && racer === round % 2)
          if (isDeleted) return users.remove(id, T0)
          return users.update(id, how === 'suspended' ? { suspendedAt: T0 } : { role: 'user' })
        })
        expect(codes.sort()).toEqual(['done', 'user.last_admin'])
        expect(await remaining()).toBe(how === 'suspended' ? 2 : 1)
      }
    },
  )

  test('one of eight administrators deleted concurrently stays', async () => {
    const all = await admins(8)
    const codes = await raceForCodes(8, (racer) => {
      const { id } = all[racer] as User
      return racer % 2 ? users.remove(id, T0) : users.update(id, { role: 'user' }, { endSessions: {} })
    })
    expect(count(codes, isDone)).toBe(7)
    expect(await remaining()).toBe(1)
  })
}
