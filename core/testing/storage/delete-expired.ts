import { expect, test } from 'vitest'
import type { Storage } from '../../contracts/storage.js'
import { aHash, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret } from '../lib/stored-fixtures.js'
import { race } from './race.js'

export function deleteExpiredContract({ secrets }: Storage): void {
  test('deleteExpired deletes a secret when it expires', async () => {
    const [secret, longer] = [aSecret(), aSecret({ expiresAt: T0 + 20 * MINUTE })]
    for (const each of [secret, longer]) await secrets.create({ secret: each, now: T0 })
    expect(await secrets.deleteExpired({ now: secret.expiresAt - 1, limit: 100 })).toEqual([])
    expect(await secrets.deleteExpired({ now: secret.expiresAt, limit: 100 })).toEqual([
      { id: secret.id, expired: true },
    ])
    expect(await secrets.deleteExpired({ now: secret.expiresAt, limit: 100 })).toEqual([])
    // Deleted, not hidden, and its text with it: the id is free again.
    await secrets.create({ secret: { ...secret, text: 'anew ☃', expiresAt: T0 + 30 * MINUTE }, now: secret.expiresAt })
    const viewed = await secrets.view({ id: secret.id, claimHash: aHash(), now: secret.expiresAt, graceMs: MINUTE })
    expect(viewed).toMatchObject({ text: 'anew ☃' })
    expect(await secrets.peek(longer.id, T0)).not.toBeNull()
  })

  test('deleteExpired deletes a used-up secret without open claims', async () => {
    const secret = await createSecret(secrets, { maxViews: 2 })
    const [first, second] = [aHash(), aHash()]
    await secrets.view({ id: secret.id, claimHash: first, now: T0, graceMs: 2 * MINUTE })
    await secrets.view({ id: secret.id, claimHash: second, now: T0, graceMs: MINUTE })
    expect(await secrets.deleteExpired({ now: T0 + 2 * MINUTE - 1, limit: 100 })).toEqual([])
    expect(
      await secrets.view({ id: secret.id, claimHash: first, now: T0 + 2 * MINUTE - 1, graceMs: MINUTE }),
    ).toMatchObject({ text: secret.text })
    expect(await secrets.deleteExpired({ now: T0 + 2 * MINUTE, limit: 100 })).toEqual([
      { id: secret.id, expired: false },
    ])
    expect(await secrets.deleteExpired({ now: T0 + 2 * MINUTE, limit: 100 })).toEqual([])
  })

  test('deleteExpired deletes a used-up secret at once without a grace period', async () => {
    const secret = await createSecret(secrets)
    await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: 0 })
    expect(await secrets.deleteExpired({ now: T0, limit: 100 })).toEqual([{ id: secret.id, expired: false }])
  })

  test('a used-up secret is not reported as expired', async () => {
    const secret = await createSecret(secrets)
    // The grace period ends after the secret expires; the expiry counts.
    await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: 100 * MINUTE })
    expect(await secrets.deleteExpired({ now: secret.expiresAt, limit: 100 })).toEqual([
      { id: secret.id, expired: false },
    ])
  })

  test('deleteExpired keeps live secrets', async () => {
    const kept = [aSecret({ maxViews: 3 }), aSecret({ maxViews: null }), aSecret({ maxViews: 1, preventBurn: true })]
    const claim = aHash()
    for (const secret of kept) {
      await secrets.create({ secret, now: T0 })
      await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
    }
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + MINUTE }
    await secrets.create({ secret: aSecret(), now: T0, record })
    await secrets.recordWrongPassword({ id: kept[0]?.id ?? '', now: T0, lockMs: MINUTE })
    expect(await secrets.deleteExpired({ now: T0 + MINUTE - 1, limit: 100 })).toEqual([])
    for (const { id } of kept) {
      expect(await secrets.view({ id, claimHash: claim, now: T0 + MINUTE - 1, graceMs: MINUTE })).toMatchObject({
        views: 1,
        counted: false,
      })
    }
    expect(await secrets.peek(kept[0]?.id ?? '', T0)).toMatchObject({ failures: 1 })
    expect(await secrets.create({ secret: aSecret(), now: T0 + MINUTE - 1, record })).toBe('first ☃')
    // The claims have expired, the secrets have not.
    expect(await secrets.deleteExpired({ now: T0 + MINUTE, limit: 100 })).toEqual([])
    for (const { id } of kept) expect(await secrets.peek(id, T0 + MINUTE)).not.toBeNull()
  })

  test('deleteExpired deletes up to limit secrets', async () => {
    const expired = Array.from({ length: 5 }, () => aSecret())
    for (const secret of expired) await secrets.create({ secret, now: T0 })
    const batches = []
    for (let batch = 0; batch < 4; batch++)
      batches.push(await secrets.deleteExpired({ now: T0 + 20 * MINUTE, limit: 2 }))
    expect(batches.map((swept) => swept.length)).toEqual([2, 2, 1, 0])
    expect(new Set(batches.flat().map(({ id }) => id))).toEqual(new Set(expired.map(({ id }) => id)))
  })

  test('concurrent callers of deleteExpired each get only the secrets they deleted', async () => {
    const expired = Array.from({ length: 20 }, () => aSecret())
    for (const secret of expired) await secrets.create({ secret, now: T0 })
    const swept = await race(5, () => secrets.deleteExpired({ now: T0 + 20 * MINUTE, limit: 100 }))
    expect(
      swept
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(expired.map(({ id }) => id).sort())
  })
}
