import { expect, test } from 'vitest'
import type { SecretStore, Storage } from '../../contracts/storage.js'
import { PASSWORD_ATTEMPTS } from '../../shared/limits.js'
import { aHash, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { race } from './race.js'

const LOCK = 15 * MINUTE
const HOUR = 60 * MINUTE

export function passwordContract({ secrets }: Storage): void {
  /** Creates a secret, and a function that fails its password several times in a row. */
  async function guarded(secrets: SecretStore) {
    const { id } = aSecret()
    await secrets.create({ secret: aSecret({ id, maxViews: 3, expiresAt: T0 + 100 * HOUR }), now: T0 })
    const fail = async (times: number, now: number) => {
      for (let left = times; left > 1; left--) await secrets.recordWrongPassword({ id, now, lockMs: LOCK })
      return secrets.recordWrongPassword({ id, now, lockMs: LOCK })
    }
    return { id, fail }
  }

  test('the tenth wrong password in a row locks the secret', async () => {
    const { id, fail } = await guarded(secrets)
    for (let left = PASSWORD_ATTEMPTS - 1; left > 0; left--) {
      expect(await fail(1, T0)).toEqual({ counted: true, attemptsLeft: left, lockedUntil: 0 })
      expect(await secrets.peek(id, T0)).toMatchObject({ failures: PASSWORD_ATTEMPTS - left, lockedUntil: 0, views: 0 })
    }
    expect(await fail(1, T0)).toEqual({ counted: true, attemptsLeft: 0, lockedUntil: T0 + LOCK })
    expect(await secrets.peek(id, T0)).toMatchObject({ failures: 0, lockedUntil: T0 + LOCK, views: 0 })
  })

  test('a locked secret counts no failure and cannot be viewed', async () => {
    const { id, fail } = await guarded(secrets)
    const claim = aHash()
    await secrets.view({ id, claimHash: claim, now: T0, graceMs: HOUR })
    await fail(PASSWORD_ATTEMPTS, T0)
    for (const now of [T0, T0 + LOCK - 1]) {
      expect(await fail(3, now)).toEqual({ counted: false, attemptsLeft: 0, lockedUntil: T0 + LOCK })
      expect(await secrets.view({ id, claimHash: aHash(), now, graceMs: HOUR })).toBeNull()
      expect(await secrets.view({ id, claimHash: claim, now, graceMs: HOUR })).toBeNull()
    }
    expect(await secrets.view({ id, claimHash: claim, now: T0 + LOCK, graceMs: HOUR })).toMatchObject({
      counted: false,
    })
    expect(await secrets.view({ id, claimHash: aHash(), now: T0 + LOCK, graceMs: HOUR })).toMatchObject({
      counted: true,
      failures: 0,
      lockedUntil: 0,
    })
  })

  test('each further lock lasts twice as long', async () => {
    const { fail } = await guarded(secrets)
    let now = T0
    for (const lock of [LOCK, 2 * LOCK, 4 * LOCK, 8 * LOCK]) {
      expect(await fail(PASSWORD_ATTEMPTS - 1, now)).toEqual({ counted: true, attemptsLeft: 1, lockedUntil: 0 })
      expect(await fail(1, now)).toEqual({ counted: true, attemptsLeft: 0, lockedUntil: now + lock })
      now += lock
    }
  })

  test('a counted view resets wrong passwords and past locks, a retry does not', async () => {
    const { id, fail } = await guarded(secrets)
    const claim = aHash()
    await fail(PASSWORD_ATTEMPTS, T0)
    const unlocked = T0 + LOCK
    await fail(PASSWORD_ATTEMPTS - 1, unlocked)
    expect(await secrets.view({ id, claimHash: claim, now: unlocked, graceMs: HOUR })).toMatchObject({
      counted: true,
      failures: 0,
      lockedUntil: 0,
    })
    expect(await fail(PASSWORD_ATTEMPTS - 1, unlocked)).toMatchObject({ attemptsLeft: 1, lockedUntil: 0 })
    expect(await secrets.view({ id, claimHash: claim, now: unlocked, graceMs: HOUR })).toMatchObject({ counted: false })
    expect(await fail(1, unlocked)).toEqual({ counted: true, attemptsLeft: 0, lockedUntil: unlocked + LOCK })
  })

  test('30 concurrent wrong passwords are counted exactly', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await guarded(secrets)
      const results = await race(30, () => secrets.recordWrongPassword({ id, now: T0, lockMs: LOCK }))
      const counted = results.flatMap((attempts) => (attempts?.counted ? attempts.attemptsLeft : []))
      expect(counted.sort((a, b) => a - b)).toEqual(Array.from({ length: PASSWORD_ATTEMPTS }, (_, left) => left))
      expect(results.filter((attempts) => attempts?.lockedUntil === T0 + LOCK)).toHaveLength(21)
      expect(await secrets.peek(id, T0)).toMatchObject({ failures: 0, lockedUntil: T0 + LOCK })
    }
  })

  test('wrong passwords for one secret do not lock others', async () => {
    const [locked, other] = [await guarded(secrets), await guarded(secrets)]
    await locked.fail(PASSWORD_ATTEMPTS, T0)
    expect(await secrets.peek(other.id, T0)).toMatchObject({ failures: 0, lockedUntil: 0 })
    expect(await secrets.view({ id: other.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).not.toBeNull()
  })
}
