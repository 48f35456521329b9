import { expect, test } from 'vitest'
import type { EmailVerificationStore } from '../../contracts/email-verifications.js'
import { aHash, aUser, MINUTE, T0 } from '../lib/fixtures.js'
import type { Current } from './current-storage.js'
import { race } from './race.js'

export function emailVerificationContract(current: Current): void {
  /** The store, and a user with a verification that expires after a minute. Null: the storage has none. */
  async function open() {
    const { emailVerifications, users } = current()
    if (!emailVerifications) return null
    const user = aUser()
    await users.create(user)
    const verification = { hash: aHash(), userId: user.id, email: user.email, expiresAt: T0 + MINUTE }
    await emailVerifications.create(verification)
    return { store: emailVerifications as EmailVerificationStore, user, ...verification }
  }

  test('use verifies the address once, and deletes the other verifications of the user only', async () => {
    const opened = await open()
    const other = await open()
    if (!opened || !other) return
    const { store, user, hash, email } = opened
    const second = { hash: aHash(), userId: user.id, email, expiresAt: T0 + MINUTE }
    await store.create(second)
    const results = await race(5, () => store.use(hash, T0 + 1))
    const changed = { ...user, emailVerified: T0 + 1 }
    expect(results.filter((result) => result !== null)).toEqual([changed])
    expect(await current().users.get(user.id)).toEqual(changed)
    expect(await store.use(second.hash, T0 + 1)).toBeNull()
    expect(await store.use(other.hash, T0 + 1)).toEqual({ ...other.user, emailVerified: T0 + 1 })
  })

  test('use returns null for an unknown, an expired verification, and for another address', async () => {
    const opened = await open()
    const moved = await open()
    if (!opened || !moved) return
    const { store, user, hash } = opened
    expect(await store.use(aHash(), T0)).toBeNull()
    expect(await store.use(hash, T0 + MINUTE)).toBeNull()
    expect(await current().users.get(user.id)).toEqual(user)
    const email = `neu+${moved.email}`
    await current().users.update(moved.user.id, { email })
    expect(await store.use(moved.hash, T0)).toBeNull()
    expect(await current().users.get(moved.user.id)).toEqual({ ...moved.user, email })
  })

  test('a verification ends with its user, and an unknown user gets none', async () => {
    const opened = await open()
    if (!opened) return
    const { store, user, hash, email } = opened
    await current().users.remove(user.id, T0)
    expect(await store.use(hash, T0)).toBeNull()
    const unknown = { hash: aHash(), userId: user.id, email, expiresAt: T0 + MINUTE }
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
