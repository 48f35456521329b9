import { expect, test } from 'vitest'
import type { Secret, SecretMeta, Storage } from '../../contracts/storage.js'
import { PASSWORD_ATTEMPTS } from '../../shared/limits.js'
import { aHash, anId, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

export function viewContract({ secrets }: Storage): void {
  test.each([
    [1, 50],
    [3, 50],
    [50, 60],
  ])('a secret with %i views is returned to %i concurrent readers', async (maxViews, readers) => {
    for (let round = 0; round < 5; round++) {
      const secret = await createSecret(secrets, { maxViews })
      const results = await race(readers, () =>
        secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE }),
      )
      expect(count(results, (viewed) => viewed !== null)).toBe(maxViews)
      // Each of the winners counted one view: 1, 2, ... maxViews.
      const views = results.flatMap((viewed) => viewed?.views ?? []).sort((a, b) => a - b)
      expect(views).toEqual(Array.from({ length: maxViews }, (_, index) => index + 1))
      for (const viewed of results) if (viewed) expect(viewed).toMatchObject({ text: secret.text, counted: true })
    }
  })

  test('30 concurrent views with one claim count once, and each gets the secret', async () => {
    const secret = await createSecret(secrets, { maxViews: 3 })
    const claim = aHash()
    const results = await race(30, () => secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE }))
    expect(count(results, (viewed) => viewed?.text === secret.text)).toBe(30)
    expect(count(results, (viewed) => viewed?.counted === true)).toBe(1)
    expect(await secrets.peek(secret.id, T0)).toMatchObject({ views: 1 })
  })

  test('REL-01: with 3 views, 3 of 20 concurrent claims get the secret with all their retries', async () => {
    const secret = await createSecret(secrets, { maxViews: 3 })
    const claims = Array.from({ length: 20 }, () => aHash())
    const results = await race(60, (racer) =>
      secrets.view({ id: secret.id, claimHash: claims[racer % 20] as string, now: T0, graceMs: MINUTE }),
    )
    const winners = new Set(claims.filter((_, index) => results[index] || results[index + 20] || results[index + 40]))
    expect(winners.size).toBe(3)
    expect(count(results, (viewed) => viewed?.counted === true)).toBe(3)
    expect(count(results, (viewed) => viewed !== null)).toBe(9)
  })

  test('peek counts no view', async () => {
    const secret = await createSecret(secrets)
    for (let peeks = 0; peeks < 3; peeks++) {
      expect(await secrets.peek(secret.id, T0, aHash())).toMatchObject({ views: 0 })
    }
    expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      views: 1,
    })
  })

  test.each([
    ['without a limit', { maxViews: null }],
    ['that only time burns', { maxViews: 2, preventBurn: true }],
  ])('views of a secret %s are counted and not limited', async (_, limits) => {
    const secret = await createSecret(secrets, limits)
    const results = await race(20, () => secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE }))
    expect(count(results, (viewed) => viewed !== null)).toBe(20)
    expect(await secrets.peek(secret.id, T0)).toMatchObject({ views: 20 })
  })

  test('view and peek return null for an unknown id', async () => {
    await secrets.create({ secret: aSecret(), now: T0 })
    expect(await secrets.peek(anId(), T0)).toBeNull()
    expect(await secrets.view({ id: anId(), claimHash: aHash(), now: T0, graceMs: MINUTE })).toBeNull()
    expect(await secrets.ack(anId(), aHash(), T0)).toBe(false)
    expect(await secrets.recordWrongPassword({ id: anId(), now: T0, lockMs: MINUTE })).toBeNull()
    expect(await secrets.burn({ id: anId(), now: T0 })).toBe(false)
  })

  test('a view does not affect other secrets', async () => {
    const [one, other] = [aSecret(), aSecret({ text: 'other ☃' })]
    const claim = aHash()
    for (const secret of [one, other]) await secrets.create({ secret, now: T0 })
    expect(await secrets.view({ id: one.id, claimHash: claim, now: T0, graceMs: MINUTE })).toMatchObject({
      text: one.text,
    })
    expect(await secrets.peek(other.id, T0)).toMatchObject({ views: 0 })
    expect(await secrets.view({ id: other.id, claimHash: claim, now: T0, graceMs: MINUTE })).toMatchObject({
      text: 'other ☃',
      counted: true,
    })
  })

  test('a view that authorize refuses is not counted', async () => {
    const secret = await createSecret(secrets, { maxViews: 1 })
    const asked: SecretMeta[] = []
    const results = await race(10, (racer) =>
      secrets.view({
        id: secret.id,
        claimHash: aHash(),
        now: T0,
        graceMs: MINUTE,
        authorize: (meta) => {
          asked.push(meta)
          return racer === 7
        },
      }),
    )
    expect(count(results, (viewed) => viewed !== null)).toBe(1)
    expect(results[7]).toMatchObject({ text: secret.text, counted: true })
    const { text: _, ...meta } = secret
    expect(asked[0]).toEqual(meta)
    expect(await secrets.peek(secret.id, T0)).toBeNull()
  })

  type Change = (secret: Secret) => Promise<unknown>
  const CHANGES: Record<string, Change> = {
    'its last view': ({ id }) => secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE }),
    'its deletion': ({ id }) => secrets.burn({ id, now: T0 }),
    'its lock': async ({ id }) => {
      for (let wrong = 0; wrong < PASSWORD_ATTEMPTS; wrong++)
        await secrets.recordWrongPassword({ id, now: T0, lockMs: MINUTE })
    },
    'a change of its address': ({ id, maxViews, expiresAt }) => {
      const from = { maxViews, expiresAt, allowedIp: null }
      return secrets.changeLimits({ id, now: T0, from, to: { ...from, allowedIp: '192.0.2.1' } })
    },
    'a change of its end': ({ id, maxViews, expiresAt }) => {
      const from = { maxViews, expiresAt, allowedIp: null }
      return secrets.changeLimits({ id, now: T0, from, to: { ...from, expiresAt: T0 + 1 } })
    },
  }

  test.each(Object.entries(CHANGES))('a view with a secret that was read before %s returns null', async (_, change) => {
    const [changed, other] = [aSecret({ maxViews: 1 }), aSecret({ maxViews: 1 })]
    for (const secret of [changed, other]) await secrets.create({ secret, now: T0 })
    const read = await Promise.all([changed, other].map(({ id }) => secrets.peek(id, T0)))
    await change(changed)
    const view = (at: number) =>
      secrets.view({
        id: [changed, other][at]?.id ?? '',
        claimHash: aHash(),
        now: T0 + 1,
        graceMs: MINUTE,
        read: read[at],
        authorize: ({ allowedIp }) => allowedIp === null,
      })
    // Alone, and in a batch.
    expect(await view(0)).toBeNull()
    const viewed = await race(2, view)
    expect(viewed).toEqual([null, expect.objectContaining({ text: other.text, views: 1, counted: true })])
  })

  test('a view that an outdated read refuses is decided from the current secret', async () => {
    const secret = await createSecret(secrets, { maxViews: 1 })
    const { text: _, ...meta } = secret
    const read = { ...meta, lockedUntil: T0 + MINUTE }
    expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE, read })).toMatchObject({
      text: secret.text,
      counted: true,
    })
  })

  test('with 3 views, 3 of 20 concurrent readers who read it before get the secret', async () => {
    const secret = await createSecret(secrets, { maxViews: 3 })
    const read = await secrets.peek(secret.id, T0)
    const view = () => secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE, read })
    const results = await race(20, view)
    expect(count(results, (viewed) => viewed?.text === secret.text)).toBe(3)
    expect(await secrets.peek(secret.id, T0)).toBeNull()
  })

  test('view asks authorize about exactly the secrets that peek returns', async () => {
    const secret = await createSecret(secrets, { maxViews: 1 })
    const [claim, other] = [aHash(), aHash()]
    const isAsked = async (id: string, claimHash: string, now: number) => {
      let asked = false
      const refuse = () => {
        asked = true
        return false
      }
      expect(await secrets.view({ id, claimHash, now, graceMs: MINUTE, authorize: refuse })).toBeNull()
      return asked
    }
    expect(await isAsked(anId(), claim, T0)).toBe(false)
    expect(await isAsked(secret.id, claim, secret.expiresAt)).toBe(false)
    await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE, authorize: () => true })
    // Used up: it exists for its open claim only.
    expect(await isAsked(secret.id, other, T0)).toBe(false)
    expect(await isAsked(secret.id, claim, T0 + MINUTE)).toBe(false)
    expect(await isAsked(secret.id, claim, T0)).toBe(true)
    const locked = await createSecret(secrets, { maxViews: 2, lockedUntil: T0 + MINUTE })
    expect(await isAsked(locked.id, claim, T0)).toBe(true)
    expect(
      await secrets.view({ id: locked.id, claimHash: claim, now: T0, graceMs: MINUTE, authorize: () => true }),
    ).toBeNull()
    expect(await secrets.peek(locked.id, T0)).toMatchObject({ views: 0 })
  })
}
