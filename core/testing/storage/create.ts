import { expect, test } from 'vitest'
import type { Secret, Storage } from '../../contracts/storage.js'
import { aHash, anId, aPublicSecret, aSecret, aUser, DAY, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret, createUser } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

export function createContract(storage: Storage): void {
  const { secrets, users } = storage

  test('view returns every field of create', async () => {
    const owner = await createUser(users)
    const full: Partial<Secret> = {
      title: 'Ünïcode ☃ 🗝',
      passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
      ownerId: owner.id,
      allowedIp: '2001:db8::/32',
      maxViews: 9999,
      preventBurn: true,
      notify: true,
    }
    for (const secret of [aSecret(), aSecret(full), aPublicSecret(full), aSecret({ kind: 'raw', maxViews: null })]) {
      await secrets.create({ secret, now: T0 })
      const { text, ...meta } = secret
      expect(await secrets.peek(secret.id, T0)).toEqual(meta)
      expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toEqual({
        ...meta,
        text,
        views: 1,
        counted: true,
      })
    }
  })

  test.each([1, 4])('SEC-26: view returns a text of %i MiB unchanged', async (mebibytes) => {
    const line = 'Schlüssel ☃ 🗝 -----\n'
    const text = line.repeat((mebibytes * 2 ** 20) / Buffer.byteLength(line))
    const secret = await createSecret(secrets, { text })
    const viewed = await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })
    expect(viewed?.text.length).toBe(text.length)
    expect(viewed?.text === text).toBe(true)
  })

  test('create stores nothing for a deleted owner, also concurrently with the deletion', async () => {
    const [gone, owner] = [aUser(), aUser()]
    await users.create(gone)
    await users.create(owner)
    await users.remove(gone.id, T0)
    const all = [gone, owner, gone, owner].map((user) => aSecret({ ownerId: user.id }))
    const results = await Promise.allSettled(all.map((secret) => secrets.create({ secret, now: T0 })))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(results[0]).toMatchObject({ reason: { code: 'storage.conflict' } })
    const there = await Promise.all(all.map(({ id }) => secrets.peek(id, T0)))
    expect(there.map((meta) => meta !== null)).toEqual([false, true, false, true])
  })

  test('stored secrets are independent of the objects of the caller', async () => {
    const secret = await createSecret(secrets, { text: 'before ☃' })
    secret.text = 'after'
    const peeked = await secrets.peek(secret.id, T0)
    if (peeked) peeked.maxViews = 5
    expect(await secrets.peek(secret.id, T0)).toMatchObject({ maxViews: 1 })
    expect(await secrets.view({ id: secret.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: 'before ☃',
    })
  })

  test('create with an existing id fails and keeps the first secret', async () => {
    const first = await createSecret(secrets, { text: 'first ☃' })
    const second = aSecret({ id: first.id, text: 'second' })
    await expect(secrets.create({ secret: second, now: T0 })).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await secrets.view({ id: first.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: 'first ☃',
    })
  })

  test('SEC-26: ids are case-sensitive', async () => {
    const id = anId()
    const lower = aSecret({ id: `a${id}`, text: 'lower ☃' })
    const upper = aSecret({ id: `A${id}`, text: 'upper ☃' })
    await secrets.create({ secret: lower, now: T0 })
    expect(await secrets.peek(upper.id, T0)).toBeNull()
    await secrets.create({ secret: upper, now: T0 })
    expect(await secrets.view({ id: lower.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: 'lower ☃',
    })
    expect(await secrets.view({ id: upper.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: 'upper ☃',
    })
  })

  test('a repeated create with one idempotency key returns the first response and stores nothing', async () => {
    const [first, second] = [aSecret(), aSecret()]
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + DAY }
    expect(await secrets.create({ secret: first, now: T0, record })).toBeNull()
    expect(await secrets.create({ secret: second, now: T0 + DAY - 1, record: { ...record, response: 'second' } })).toBe(
      'first ☃',
    )
    expect(await secrets.findIdempotencyRecord(record.keyHash, T0 + DAY - 1)).toBe('first ☃')
    expect(await secrets.findIdempotencyRecord(record.keyHash, T0 + DAY)).toBeNull()
    expect(await secrets.findIdempotencyRecord(aHash(), T0)).toBeNull()
    expect(await secrets.peek(first.id, T0)).not.toBeNull()
    expect(await secrets.peek(second.id, T0)).toBeNull()
  })

  test('an idempotency record outlives its secret until it expires', async () => {
    const [first, second] = [aSecret(), aSecret({ expiresAt: T0 + 2 * DAY })]
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + DAY }
    await secrets.create({ secret: first, now: T0, record })
    await secrets.burn({ id: first.id, now: T0 })
    expect(await secrets.create({ secret: second, now: T0 + DAY - 1, record })).toBe('first ☃')
    const next = { ...record, response: 'second ☃', expiresAt: T0 + 2 * DAY }
    expect(await secrets.create({ secret: second, now: T0 + DAY, record: next })).toBeNull()
    expect(await secrets.peek(second.id, T0 + DAY)).not.toBeNull()
    expect(await secrets.create({ secret: aSecret(), now: T0 + DAY, record: next })).toBe('second ☃')
  })

  test('a failed create stores no idempotency record', async () => {
    const taken = await createSecret(secrets)
    const record = { keyHash: aHash(), response: 'not stored', expiresAt: T0 + DAY }
    await expect(secrets.create({ secret: taken, now: T0, record })).rejects.toMatchObject({ code: 'storage.conflict' })
    expect(await secrets.create({ secret: aSecret(), now: T0, record })).toBeNull()
  })

  test.each([
    ['new', T0],
    ['ended', T0 + DAY],
  ])('one of 20 concurrent creates with one %s record key stores a secret', async (_, now) => {
    const keyHash = aHash()
    await secrets.create({
      secret: aSecret(),
      now: T0,
      record: {
        keyHash: now === T0 ? aHash() : keyHash,
        response: 'old',
        expiresAt: T0 + DAY,
      },
    })
    const racing = Array.from({ length: 20 }, () => aSecret({ expiresAt: now + DAY }))
    const results = await race(20, (racer) => {
      const secret = racing[racer] as Secret
      return secrets.create({ secret, now, record: { keyHash, response: `of ${secret.id}`, expiresAt: now + DAY } })
    })
    const winners = racing.filter((_, racer) => results[racer] === null)
    expect(winners).toHaveLength(1)
    expect(count(results, (result) => result === `of ${winners[0]?.id}`)).toBe(19)
    for (const { id } of racing) expect((await secrets.peek(id, now)) !== null).toBe(id === winners[0]?.id)
  })

  test('one of 20 concurrent creates with one id succeeds', async () => {
    const id = anId()
    const results = await race(20, (racer) =>
      secrets.create({ secret: aSecret({ id, text: `${racer} ☃` }), now: T0 }).catch((error) => error.code),
    )
    expect(count(results, (result) => result === null)).toBe(1)
    expect(count(results, (result) => result === 'storage.conflict')).toBe(19)
    const winner = results.indexOf(null)
    expect(await secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: `${winner} ☃`,
    })
  })
}
