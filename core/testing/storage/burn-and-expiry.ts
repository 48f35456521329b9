import { describe, expect, test } from 'vitest'
import type { Secret, SecretStore, Storage, ViewedSecret } from '../../contracts/storage.js'
import { aHash, aPublicSecret, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret, createUser } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

/** Whether each method finds a secret. `claim` has viewed it once. */
const PRESENT: Record<string, (secrets: SecretStore, secret: Secret, now: number, claim: string) => Promise<boolean>> =
  {
    peek: async (secrets, { id }, now) => (await secrets.peek(id, now)) !== null,
    'peek with a claim': async (secrets, { id }, now, claim) => (await secrets.peek(id, now, claim)) !== null,
    view: async (secrets, { id }, now) =>
      (await secrets.view({ id, claimHash: aHash(), now, graceMs: MINUTE })) !== null,
    'view again': async (secrets, { id }, now, claim) =>
      (await secrets.view({ id, claimHash: claim, now, graceMs: MINUTE })) !== null,
    ack: async (secrets, { id }, now, claim) => secrets.ack(id, claim, now),
    recordWrongPassword: async (secrets, { id }, now) =>
      (await secrets.recordWrongPassword({ id, now, lockMs: MINUTE })) !== null,
    peekBurnable: async (secrets, { id }, now) => (await secrets.peekBurnable(id, now)) !== null,
    burn: (secrets, { id }, now) => secrets.burn({ id, now }),
    listByOwner: async (secrets, { id, ownerId }, now) =>
      (await secrets.listByOwner(ownerId ?? '', { skip: 0, take: 10 }, now)).some((secret) => secret.id === id),
    listPublic: async (secrets, { id }, now) =>
      (await secrets.listPublic({}, { skip: 0, take: 10 }, now)).some((secret) => secret.id === id),
  }

export function burnAndExpiryContract({ secrets, users }: Storage): void {
  /** A secret whose only view was used at `T0`, with a grace period of a minute. */
  async function usedUp() {
    const [secret, claim] = [aSecret(), aHash()]
    await secrets.create({ secret, now: T0 })
    await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
    return { secret, claim }
  }

  test('one of 20 concurrent burns returns true', async () => {
    const secret = await createSecret(secrets, { maxViews: 3 })
    const claim = aHash()
    await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
    expect(count(await race(20, () => secrets.burn({ id: secret.id, now: T0 })), Boolean)).toBe(1)
    expect(await secrets.peek(secret.id, T0, claim)).toBeNull()
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })).toBeNull()
    // Deleted, not hidden, and its claims with it: the id is free again.
    await secrets.create({ secret, now: T0 })
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })).toMatchObject({
      views: 1,
      counted: true,
    })
  })

  test('one of 20 concurrent burns of a used-up secret with an open claim returns true, and the claim ends', async () => {
    const { secret, claim } = await usedUp()
    expect(await secrets.peekBurnable(secret.id, T0 + MINUTE - 1)).toMatchObject({ id: secret.id, views: 1 })
    expect(count(await race(20, () => secrets.burn({ id: secret.id, now: T0 + MINUTE - 1 })), Boolean)).toBe(1)
    expect(await secrets.peek(secret.id, T0, claim)).toBeNull()
    expect(await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })).toBeNull()
    expect(await secrets.peekBurnable(secret.id, T0)).toBeNull()
  })

  test('a used-up secret without open claims and files cannot be burned', async () => {
    const { secret } = await usedUp()
    expect(await secrets.peekBurnable(secret.id, T0 + MINUTE)).toBeNull()
    expect(await secrets.burn({ id: secret.id, now: T0 + MINUTE })).toBe(false)
    const acknowledged = await usedUp()
    await secrets.ack(acknowledged.secret.id, acknowledged.claim, T0)
    expect(await secrets.peekBurnable(acknowledged.secret.id, T0)).toBeNull()
    expect(await secrets.burn({ id: acknowledged.secret.id, now: T0 })).toBe(false)
  })

  test('a view that races with a burn gets the secret once, or not at all', async () => {
    const secret = await createSecret(secrets)
    const results = await race<ViewedSecret | boolean | null>(20, (racer) =>
      racer % 2 === 0
        ? secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })
        : secrets.burn({ id: secret.id, now: T0 }),
    )
    expect(count(results, (result) => result === true)).toBe(1)
    expect(count(results, (result) => result !== null && typeof result === 'object')).toBeLessThanOrEqual(1)
    expect(await secrets.peekBurnable(secret.id, T0)).toBeNull()
  })

  test('burn does not delete other secrets', async () => {
    const [one, other] = [aSecret(), aSecret()]
    for (const secret of [one, other]) await secrets.create({ secret, now: T0 })
    await secrets.burn({ id: one.id, now: T0 })
    expect(await secrets.peek(other.id, T0)).not.toBeNull()
  })

  describe.each(Object.entries(PRESENT))('%s', (method, isPresent) => {
    test.each([
      ['finds it 1 ms before it expires', -1, true],
      ['does not find it when it expires', 0, false],
      ['does not find it 1 ms later', 1, false],
    ])('%s', async (_, later, present) => {
      const owner = await createUser(users)
      // `ack` returns true only when it deletes, so it needs a used-up secret.
      const secret = aPublicSecret({ ownerId: owner.id, maxViews: method === 'ack' ? 1 : null })
      await secrets.create({ secret, now: T0 })
      const claim = aHash()
      await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: 60 * MINUTE })
      expect(await isPresent(secrets, secret, secret.expiresAt + later, claim)).toBe(present)
    })
  })
}
