import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import type { User, UserFilter } from '../../contracts/users.js'
import { aHash, anAuthenticator, aPasskey, aPublicSecret, aSecret, aUser, MINUTE, T0 } from '../lib/fixtures.js'

const ALL = { skip: 0, take: 100 }

export function userListContract({ users, factors, secrets }: Storage): void {
  async function stored(...people: Partial<User>[]): Promise<User[]> {
    const created = people.map((each) => aUser(each))
    for (const user of created) await users.create(user)
    return created
  }
  const listed = async (filter: UserFilter) => {
    const found = await users.list(filter, ALL, T0)
    expect(found.total).toBe(found.users.length)
    return found.users.map(({ username }) => username)
  }

  test('list returns pages sorted by username, and the total', async () => {
    expect(await users.list({}, ALL, T0)).toEqual({ users: [], total: 0 })
    const names = ['zoe', 'emil', 'otto', 'anna', '0day', 'ab']
    const people = await stored(...names.map((username, index) => ({ username, createdAt: T0 - index })))
    const expected = people
      .map((user) => ({ ...user, secrets: 0, passkeys: 0, authenticator: false }))
      .sort((a, b) => (a.username < b.username ? -1 : 1))
    expect(await users.list({}, ALL, T0)).toEqual({ users: expected, total: 6 })
    expect(await users.list({}, { skip: 2, take: 3 }, T0)).toEqual({ users: expected.slice(2, 5), total: 6 })
    expect(await users.list({}, { skip: 6, take: 3 }, T0)).toEqual({ users: [], total: 6 })
  })

  test('list filters by role', async () => {
    await stored({ username: 'admin', role: 'admin' }, { username: 'user' })
    expect(await listed({ role: 'admin' })).toEqual(['admin'])
    expect(await listed({ role: 'user' })).toEqual(['user'])
  })

  test('search matches parts of usernames and e-mail addresses in any case', async () => {
    await stored(
      { username: 'anna', email: 'one@example.org' },
      { username: 'hannah', email: 'two@example.org', role: 'admin' },
      { username: 'otto', email: 'zoë+anna@example.com' },
      { username: 'emil', email: 'four@example.com' },
    )
    expect(await listed({ search: 'anna' })).toEqual(['anna', 'hannah', 'otto'])
    expect(await listed({ search: 'ANNA' })).toEqual(['anna', 'hannah', 'otto'])
    expect(await listed({ search: 'anna', role: 'admin' })).toEqual(['hannah'])
    expect(await listed({ search: 'zoë' })).toEqual(['otto'])
    expect(await listed({ search: 'example.com' })).toEqual(['emil', 'otto'])
    expect(await listed({ search: '' })).toHaveLength(4)
    expect(await listed({ search: 'a n' })).toEqual([])
    const page = await users.list({ search: 'anna' }, { skip: 1, take: 1 }, T0)
    expect(page).toMatchObject({ users: [{ username: 'hannah' }], total: 3 })
  })

  test.each(['%', '_', '!', '\\', "'", '"', '*', '?', '[', '%_', '\\%', '!%', '!!', '\\\\', '%%', '☃', '🗝'])(
    'search for %s is literal',
    async (search) => {
      await stored(
        { username: 'plain', email: 'plain@example.org' },
        { username: 'other', email: `a${search}b@example.org` },
      )
      expect(await listed({ search })).toEqual(['other'])
      expect(await listed({ search: `A${search}B` })).toEqual(['other'])
      expect(await listed({ search: `a${search}${search}b` })).toEqual([])
    },
  )

  test('list counts the second factors of each user', async () => {
    const people = await stored({ username: 'one' }, { username: 'two' }, { username: 'three' })
    const [one, two] = people as [User, User]
    const options = { recoveryCodes: [aHash()], keepSession: null, now: T0 }
    for (const { id: userId } of [one, one, two]) await factors.addPasskey(aPasskey({ userId }), 20, options)
    await factors.addAuthenticator(anAuthenticator({ userId: one.id }), options)
    const counts = async () =>
      (await users.list({}, ALL, T0)).users.map(({ passkeys, authenticator }) => [passkeys, authenticator])
    expect(await counts()).toEqual([
      [2, true],
      [0, false],
      [1, false],
    ])
    await factors.reset(one.id)
    await users.lockOut(two.id, { changes: {}, keep: {} })
    expect(await counts()).toEqual(Array.from({ length: 3 }, () => [0, false]))
  })

  test('list counts the live secrets of each user', async () => {
    const [one, two] = (await stored({ username: 'one' }, { username: 'two' }, { username: 'three' })) as [User, User]
    const usedUp = aSecret({ ownerId: one.id })
    const kept = aSecret({ ownerId: one.id, preventBurn: true })
    const expired = aSecret({ ownerId: one.id, expiresAt: T0, preventBurn: true })
    const own = [usedUp, kept, expired, aPublicSecret({ ownerId: one.id }), aSecret({ ownerId: one.id, maxViews: 2 })]
    for (const secret of [...own, aSecret({ ownerId: two.id }), aSecret()])
      await secrets.create({ secret, now: T0 - MINUTE })
    for (const { id } of own) await secrets.view({ id, claimHash: aHash(), now: T0 - MINUTE, graceMs: 2 * MINUTE })
    const counts = async (skip: number, take: number) =>
      (await users.list({}, { skip, take }, T0)).users.map(({ username, secrets: there }) => `${username} ${there}`)
    expect(await counts(0, 10)).toEqual(['one 3', 'three 0', 'two 1'])
    expect(await counts(2, 1)).toEqual(['two 1'])
  })
}
