import { expect, test } from 'vitest'
import type { PasswordResetStore } from '../../contracts/password-resets.js'
import { aHash, aSession, aToken, aUser, MINUTE, T0 } from '../lib/fixtures.js'
import type { Current } from './current-storage.js'
import { race } from './race.js'

const PASSWORD = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$bmV3'

export function passwordResetContract(current: Current): void {
  /** The store, and a user with a reset that expires after a minute. Null: the storage has none. */
  async function open() {
    const { passwordResets, users } = current()
    if (!passwordResets) return null
    const user = aUser({ mustChangePassword: true })
    await users.create(user)
    const reset = { hash: aHash(), userId: user.id, email: user.email, expiresAt: T0 + MINUTE }
    await passwordResets.create(reset)
    return { store: passwordResets as PasswordResetStore, user, ...reset }
  }

  test('find returns the user until the reset expires', async () => {
    const opened = await open()
    if (!opened) return
    const { store, user, hash } = opened
    expect(await store.find(hash, T0 + MINUTE - 1)).toEqual(user)
    expect(await store.find(hash, T0 + MINUTE)).toBeNull()
    expect(await store.find(aHash(), T0)).toBeNull()
    expect(await store.use(hash, PASSWORD, T0 + MINUTE)).toBeNull()
    expect(await current().users.get(user.id)).toEqual(user)
  })

  test('use sets the password once, and ends sessions, API tokens and other resets of the user only', async () => {
    const opened = await open()
    const other = await open()
    if (!opened || !other) return
    const { store, user, hash } = opened
    const { sessions, tokens, users } = current()
    const second = { hash: aHash(), userId: user.id, email: null, expiresAt: T0 + MINUTE }
    await store.create(second)
    for (const { id: userId } of [user, other.user]) {
      await sessions.open(aSession({ userId }), 20, T0)
      await tokens.create(aToken({ userId }), 100, T0)
    }
    const results = await race(5, () => store.use(hash, PASSWORD, T0))
    const changed = { ...user, passwordHash: PASSWORD, mustChangePassword: false, emailVerified: T0 }
    expect(results.filter((result) => result !== null)).toEqual([changed])
    expect(await users.get(user.id)).toEqual(changed)
    expect(await store.find(second.hash, T0)).toBeNull()
    expect([await sessions.list(user.id, T0), await tokens.list(user.id, T0)]).toEqual([[], []])
    expect(await sessions.list(other.user.id, T0)).toHaveLength(1)
    expect(await tokens.list(other.user.id, T0)).toHaveLength(1)
    expect(await store.find(other.hash, T0)).toEqual(other.user)
  })

  test('a reset is absent while the user has another address', async () => {
    const opened = await open()
    if (!opened) return
    const { users } = current()
    const { store, user, hash, email } = opened
    const moved = await users.update(user.id, { email: `neu+${email}` })
    expect(await store.find(hash, T0)).toBeNull()
    expect(await store.use(hash, PASSWORD, T0)).toBeNull()
    expect(await users.get(user.id)).toEqual(moved)
    const back = await users.update(user.id, { email })
    expect(await store.find(hash, T0)).toEqual(back)
  })

  test('use verifies the address of the reset, if it is known, and keeps the time of an earlier verification', async () => {
    const opened = [await open(), await open()]
    const [unknown, verified] = opened
    if (!unknown || !verified) return
    const { users } = current()
    await users.update(verified.userId, { emailVerified: T0 - MINUTE })
    const hash = aHash()
    await unknown.store.create({ hash, userId: unknown.userId, email: null, expiresAt: T0 + MINUTE })
    expect(await unknown.store.use(hash, PASSWORD, T0)).toMatchObject({ emailVerified: null })
    expect(await verified.store.use(verified.hash, PASSWORD, T0)).toMatchObject({ emailVerified: T0 - MINUTE })
    expect((await users.get(unknown.userId))?.emailVerified).toBeNull()
  })

  test('a reset ends with its user, and an unknown user gets none', async () => {
    const opened = await open()
    if (!opened) return
    const { store, user, hash } = opened
    await current().users.remove(user.id, T0)
    expect(await store.find(hash, T0)).toBeNull()
    const unknown = { hash: aHash(), userId: user.id, email: null, expiresAt: T0 + MINUTE }
    await expect(store.create(unknown)).rejects.toMatchObject({ code: 'storage.conflict' })
  })

  test('deleteExpired deletes up to the limit, and only expired ones', async () => {
    const opened = [await open(), await open(), await open()]
    const [first] = opened
    if (!first) return
    const { store } = first
    expect(await store.deleteExpired(T0 + MINUTE - 1, 10)).toBe(0)
    expect(await store.deleteExpired(T0 + MINUTE, 2)).toBe(2)
    expect(await store.deleteExpired(T0 + MINUTE, 2)).toBe(1)
  })
}
