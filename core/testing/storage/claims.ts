import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import { aHash, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

export function claimContract({ secrets }: Storage): void {
  /** Creates a secret whose `maxViews` views are used up at T0. Returns the claims. */
  async function usedUp(maxViews: number, graceMs = MINUTE) {
    const secret = aSecret({ maxViews })
    const claims = Array.from({ length: maxViews }, () => aHash())
    await secrets.create({ secret, now: T0 })
    for (const claim of claims) await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs })
    return { secret, claims }
  }

  test('view returns a used-up secret to the same claim until its grace period ends', async () => {
    const { secret, claims } = await usedUp(1)
    const [claim = ''] = claims
    for (const later of [1, MINUTE / 2, MINUTE - 1]) {
      expect(await secrets.peek(secret.id, T0 + later, claim)).toMatchObject({ id: secret.id, views: 1 })
      expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0 + later, graceMs: MINUTE })).toMatchObject({
        text: secret.text,
        counted: false,
      })
    }
    expect(await secrets.peek(secret.id, T0 + MINUTE, claim)).toBeNull()
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0 + MINUTE, graceMs: MINUTE })).toBeNull()
  })

  test('a used-up secret is absent for other claims', async () => {
    const { secret } = await usedUp(1)
    expect(await secrets.peek(secret.id, T0)).toBeNull()
    expect(await secrets.peek(secret.id, T0, aHash())).toBeNull()
    expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toBeNull()
    expect(await secrets.recordWrongPassword({ id: secret.id, now: T0, lockMs: MINUTE })).toBeNull()
  })

  test('view counts a claim again after its grace period', async () => {
    const secret = await createSecret(secrets, { maxViews: 2 })
    const claim = aHash()
    await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0 + MINUTE, graceMs: MINUTE })).toMatchObject({
      views: 2,
      counted: true,
    })
    expect(
      await secrets.view({ id: secret.id, claimHash: claim, now: T0 + 2 * MINUTE - 1, graceMs: MINUTE }),
    ).toMatchObject({
      views: 2,
      counted: false,
    })
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0 + 2 * MINUTE, graceMs: MINUTE })).toBeNull()
  })

  test('concurrent views of a claim after its grace period count once', async () => {
    const secret = await createSecret(secrets, { maxViews: 5 })
    const claim = aHash()
    await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
    const results = await race(20, () =>
      secrets.view({ id: secret.id, claimHash: claim, now: T0 + MINUTE, graceMs: MINUTE }),
    )
    expect(count(results, (viewed) => viewed?.counted === true)).toBe(1)
    expect(count(results, (viewed) => viewed?.views === 2)).toBe(20)
  })

  test('every view counts without a grace period', async () => {
    const secret = await createSecret(secrets, { maxViews: 2 })
    const claim = aHash()
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: 0 })).toMatchObject({
      views: 1,
      counted: true,
    })
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: 0 })).toMatchObject({
      views: 2,
      counted: true,
    })
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: 0 })).toBeNull()
  })

  test('ack of the only claim deletes a used-up secret', async () => {
    const { secret, claims } = await usedUp(1)
    const [claim = ''] = claims
    expect(await secrets.ack(secret.id, claim, T0 + 1)).toBe(true)
    expect(await secrets.ack(secret.id, claim, T0 + 1)).toBe(false)
    expect(await secrets.peek(secret.id, T0 + 1, claim)).toBeNull()
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0 + 1, graceMs: MINUTE })).toBeNull()
    // Deleted, not hidden: the id is free again.
    await secrets.create({ secret: { ...secret, text: 'anew ☃' }, now: T0 + 1 })
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0 + 1, graceMs: MINUTE })).toMatchObject({
      text: 'anew ☃',
      counted: true,
    })
  })

  test('ack deletes a used-up secret after the last open claim', async () => {
    const { secret, claims } = await usedUp(3)
    const [first = '', second = '', third = ''] = claims
    expect(await secrets.ack(secret.id, first, T0)).toBe(false)
    expect(await secrets.view({ id: secret.id, claimHash: first, now: T0, graceMs: MINUTE })).toBeNull()
    expect(await secrets.view({ id: secret.id, claimHash: second, now: T0, graceMs: MINUTE })).toMatchObject({
      text: secret.text,
    })
    expect(await secrets.ack(secret.id, second, T0)).toBe(false)
    expect(await secrets.ack(secret.id, third, T0)).toBe(true)
  })

  test('ack ignores claims after their grace period', async () => {
    const secret = await createSecret(secrets, { maxViews: 2 })
    const [early, late] = [aHash(), aHash()]
    await secrets.view({ id: secret.id, claimHash: early, now: T0, graceMs: MINUTE })
    await secrets.view({ id: secret.id, claimHash: late, now: T0 + 10, graceMs: MINUTE })
    expect(await secrets.ack(secret.id, late, T0 + MINUTE)).toBe(true)
  })

  test('ack deletes a used-up secret also after the grace period', async () => {
    const { secret, claims } = await usedUp(1, 0)
    expect(await secrets.ack(secret.id, claims[0] ?? '', T0)).toBe(true)
  })

  test('view returns null for an acknowledged claim and works for others while views are left', async () => {
    const secret = await createSecret(secrets, { maxViews: 3 })
    const [claim, other] = [aHash(), aHash()]
    await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
    expect(await secrets.ack(secret.id, claim, T0)).toBe(false)
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })).toBeNull()
    await secrets.deleteExpired({ now: T0 + 2 * MINUTE, limit: 100 })
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0 + 2 * MINUTE, graceMs: MINUTE })).toBeNull()
    expect(
      await secrets.view({ id: secret.id, claimHash: other, now: T0 + 2 * MINUTE, graceMs: MINUTE }),
    ).toMatchObject({ views: 2, counted: true })
  })

  test('ack never deletes a secret with preventBurn', async () => {
    for (const limits of [{ maxViews: null }, { maxViews: 1, preventBurn: true }]) {
      const secret = await createSecret(secrets, limits)
      const claim = aHash()
      await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
      expect(await secrets.ack(secret.id, claim, T0)).toBe(false)
      expect(await secrets.peek(secret.id, T0)).toMatchObject({ views: 1 })
    }
  })

  test('ack of an unknown claim changes nothing', async () => {
    const { secret, claims } = await usedUp(1)
    expect(await secrets.ack(secret.id, aHash(), T0)).toBe(false)
    expect(await secrets.view({ id: secret.id, claimHash: claims[0] ?? '', now: T0, graceMs: MINUTE })).toMatchObject({
      text: secret.text,
    })
  })

  test('one of several concurrent acks returns true', async () => {
    for (let round = 0; round < 5; round++) {
      const { secret, claims } = await usedUp(5)
      const results = await race(20, (racer) => secrets.ack(secret.id, claims[racer % 5] ?? '', T0))
      expect(count(results, Boolean)).toBe(1)
      await secrets.create({ secret, now: T0 })
    }
  })
}
