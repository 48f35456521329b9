import { expect, test } from 'vitest'
import type { Secret, SecretLimits, Storage } from '../../contracts/storage.js'
import { aHash, anUpload, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

const limitsOf = ({ maxViews, expiresAt, allowedIp }: Secret): SecretLimits => ({ maxViews, expiresAt, allowedIp })

export function changeLimitsContract({ secrets, attachments }: Storage): void {
  async function created(differing: Partial<Secret> = {}) {
    const secret = await createSecret(secrets, { maxViews: 5, ...differing })
    return { secret, from: limitsOf(secret) }
  }

  test('changeLimits replaces the limits and nothing else', async () => {
    const { secret, from } = await created()
    const to = { maxViews: 2, expiresAt: T0 + 2 * MINUTE, allowedIp: '2001:db8::/32' }
    expect(await secrets.changeLimits({ id: secret.id, now: T0, from, to })).toBe(true)
    const { text: _, ...meta } = secret
    expect(await secrets.peek(secret.id, T0)).toEqual({ ...meta, ...to })
    expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: secret.text,
      ...to,
      views: 1,
    })
    expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).not.toBeNull()
    expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toBeNull()
  })

  test('a secret ends at its new time and is then deleted', async () => {
    const { secret, from } = await created()
    const expiresAt = T0 + MINUTE
    await secrets.changeLimits({ id: secret.id, now: T0, from, to: { ...from, expiresAt } })
    expect(await secrets.peek(secret.id, expiresAt - 1)).not.toBeNull()
    expect(await secrets.peek(secret.id, expiresAt)).toBeNull()
    expect(await secrets.deleteExpired({ now: expiresAt, limit: 10 })).toEqual([{ id: secret.id, expired: true }])
  })

  test('the files of the secret end with it', async () => {
    const upload = anUpload({ parts: 1 })
    await attachments.reserve(upload, { open: 10, bytes: null, windowMs: MINUTE, storedBytes: null }, T0)
    await attachments.recordPart({ id: upload.id, index: 0, expiresAt: upload.expiresAt, now: T0 })
    const secret = aSecret({ files: 1 })
    await secrets.create({ secret, now: T0, files: [{ id: upload.id, tokenHash: upload.tokenHash }] })
    const from = limitsOf(secret)
    expect(await secrets.changeLimits({ id: secret.id, now: T0, from, to: { ...from, expiresAt: T0 + MINUTE } })).toBe(
      true,
    )
    expect(await attachments.listBySecret(secret.id, T0 + MINUTE - 1)).toHaveLength(1)
    expect(await attachments.listBySecret(secret.id, T0 + MINUTE)).toEqual([])
  })

  test('changeLimits changes nothing after a view, after the end, and with other limits than the current ones', async () => {
    const viewed = await created()
    await secrets.view({ id: viewed.secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })
    const { secret, from } = await created({ allowedIp: '203.0.113.0/24' })
    const to = { ...from, maxViews: 1 }
    expect(
      await secrets.changeLimits({
        id: viewed.secret.id,
        now: T0,
        from: viewed.from,
        to: { ...viewed.from, maxViews: 1 },
      }),
    ).toBe(false)
    expect(await secrets.changeLimits({ id: secret.id, now: secret.expiresAt, from, to })).toBe(false)
    for (const stale of [{ maxViews: 4 }, { maxViews: null }, { expiresAt: from.expiresAt + 1 }, { allowedIp: null }]) {
      expect(await secrets.changeLimits({ id: secret.id, now: T0, from: { ...from, ...stale }, to })).toBe(false)
    }
    expect(await secrets.changeLimits({ id: aSecret().id, now: T0, from, to })).toBe(false)
    expect(await secrets.peek(secret.id, T0)).toMatchObject(from)
    expect(await secrets.peek(viewed.secret.id, T0)).toMatchObject(viewed.from)
  })

  test('one of 20 concurrent changes succeeds, and views get the old or the new limits', async () => {
    const { secret, from } = await created({ maxViews: 30 })
    const changes = await race(20, (index) =>
      secrets.changeLimits({ id: secret.id, now: T0, from, to: { ...from, maxViews: 20 - index } }),
    )
    expect(count(changes, Boolean)).toBe(1)
    const other = await created({ maxViews: 10 })
    const results = await race(20, (index) =>
      index === 10
        ? secrets.changeLimits({ id: other.secret.id, now: T0, from: other.from, to: { ...other.from, maxViews: 1 } })
        : secrets
            .view({ id: other.secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })
            .then((viewed) => viewed !== null),
    )
    const isChanged = results[10] === true
    expect(count(results, Boolean)).toBe(isChanged ? 2 : 10)
  })
}
