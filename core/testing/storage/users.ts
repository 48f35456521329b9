import { expect, test } from 'vitest'
import { aUser } from '../fixtures.js'
import type { Current } from '../storage-contract.js'
import { count, race } from './race.js'

export function userLaws(current: Current): void {
  test('every field comes back as it was given', async () => {
    const { users } = current()
    for (const user of [aUser(), aUser({ role: 'admin', generated: true, passwordHash: null })]) {
      await users.create(user)
      expect(await users.find(user.username)).toEqual(user)
    }
  })

  test('there is nobody under an unknown name, or one of another case', async () => {
    const { users } = current()
    const user = aUser()
    await users.create(user)
    expect(await users.find('nobody')).toBeNull()
    expect(await users.find(user.username.toUpperCase())).toBeNull()
  })

  test.each(['id', 'username', 'email'] as const)('a taken %s is a conflict and stores nothing', async (field) => {
    const { users } = current()
    const first = aUser()
    const second = aUser({ [field]: first[field] })
    await users.create(first)
    await expect(users.create(second)).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await users.find(second.username)).toEqual(field === 'username' ? first : null)
  })

  test('of 20 racing creates with one name one stores', async () => {
    const { users } = current()
    const { username } = aUser()
    const answers = await race(20, () =>
      users.create(aUser({ username })).then(
        () => 'stored',
        (error) => error.code,
      ),
    )
    expect(count(answers, (answer) => answer === 'stored')).toBe(1)
    expect(count(answers, (answer) => answer === 'storage.conflict')).toBe(19)
  })

  test('what the caller does to its objects afterwards changes nothing', async () => {
    const { users } = current()
    const user = aUser()
    await users.create(user)
    const found = await users.find(user.username)
    if (found) found.role = 'admin'
    user.role = 'admin'
    expect(await users.find(user.username)).toMatchObject({ role: 'user' })
  })
}
