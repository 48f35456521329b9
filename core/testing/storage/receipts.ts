import { expect, test } from 'vitest'
import type { Secret, Storage } from '../../contracts/storage.js'
import { aHash, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret, createUser } from '../lib/stored-fixtures.js'
import { race } from './race.js'

const LOCK_MS = 15 * MINUTE
const READER = { network: '2001:db8:1::/48', browser: 'Fïrefox' }
const NO_READER = { network: null, browser: null }

export function receiptContract(storage: Storage): void {
  const { secrets, receipts, users } = storage

  /** A secret with a receipt. */
  async function open(differing: Partial<Secret> = {}) {
    const secret = await createSecret(secrets, { receiptHash: aHash(), ...differing })
    const hash = secret.receiptHash as string
    return { secrets, receipts, secret, id: secret.id, hash, find: () => receipts.find(hash) }
  }

  test('create stores the receipt of a secret, and no receipt without a hash', async () => {
    const opened = await open({ maxViews: 3 })
    const { secrets, receipts, secret, id, hash, find } = opened
    expect(await find()).toEqual({
      hash,
      ownerId: null,
      maxViews: 3,
      createdAt: secret.createdAt,
      expiresAt: secret.expiresAt,
      views: 0,
      viewedAt: null,
      wrongPasswords: 0,
      wrongPasswordAt: null,
      refusedAddresses: 0,
      refusedAddressAt: null,
      outcome: null,
      endedAt: null,
      viewList: [],
    })
    expect(await secrets.peek(id, T0)).toMatchObject({ receiptHash: hash })
    const plain = await createSecret(secrets)
    expect(await secrets.peek(plain.id, T0)).not.toHaveProperty('receiptHash')
    expect(await receipts.find(aHash())).toBeNull()
  })

  test('a create that does not store a secret does not store a receipt', async () => {
    const opened = await open()
    const hash = aHash()
    const failing = aSecret({ id: opened.id, receiptHash: hash })
    await expect(opened.secrets.create({ secret: failing, now: T0 })).rejects.toMatchObject({
      code: 'storage.conflict',
    })
    expect(await opened.receipts.find(hash)).toBeNull()
  })

  test('each counted view is on the receipt once, with its time and reader, and the last one ends it', async () => {
    const opened = await open({ maxViews: 2 })
    const { secrets, id, find } = opened
    const claim = aHash()
    for (const at of [T0 + 1, T0 + 2])
      await secrets.view({ id, claimHash: claim, now: at, graceMs: MINUTE, reader: READER })
    expect(await find()).toMatchObject({ views: 1, viewedAt: T0 + 1, outcome: null, endedAt: null })
    await secrets.view({ id, claimHash: aHash(), now: T0 + 3, graceMs: MINUTE, authorize: () => false })
    await secrets.view({ id, claimHash: aHash(), now: T0 + 4, graceMs: MINUTE })
    expect(await secrets.view({ id, claimHash: aHash(), now: T0 + 5, graceMs: MINUTE })).toBeNull()
    expect(await find()).toMatchObject({
      views: 2,
      viewedAt: T0 + 4,
      outcome: 'used-up',
      endedAt: T0 + 4,
      viewList: [
        { at: T0 + 1, ...READER },
        { at: T0 + 4, ...NO_READER },
      ],
    })
  })

  test('REL-23: concurrent views of several secrets are all on their receipts', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => open({ maxViews: 5 })))
    const all = opened.flatMap((each) => each ?? [])
    await race(24, (racer) => {
      const { secrets, id } = all[racer % 3] as (typeof all)[number]
      return secrets.view({ id, claimHash: aHash(), now: T0 + 1, graceMs: MINUTE })
    })
    for (const { find } of all) {
      const receipt = await find()
      expect(receipt).toMatchObject({ views: 5, outcome: 'used-up' })
      expect(receipt?.viewList).toHaveLength(5)
    }
  })

  test('a secret with any number of views lists the first 50, and ends when it expires', async () => {
    const opened = await open({ preventBurn: true, maxViews: null })
    const { secrets, secret, id, find } = opened
    for (let view = 1; view <= 52; view++)
      await secrets.view({ id, claimHash: aHash(), now: T0 + view, graceMs: MINUTE })
    const receipt = await find()
    expect(receipt).toMatchObject({ maxViews: null, views: 52, viewedAt: T0 + 52, outcome: null })
    expect(receipt?.viewList.map(({ at }) => at)).toEqual(Array.from({ length: 50 }, (_, index) => T0 + index + 1))
    await secrets.deleteExpired({ now: secret.expiresAt + 5, limit: 10 })
    expect(await find()).toMatchObject({ views: 52, outcome: 'expired', endedAt: secret.expiresAt })
  })

  test('counted wrong passwords are on the receipt, and wrong passwords during a lock are not', async () => {
    const opened = await open({ passwordHash: aHash() })
    const { secrets, id, find } = opened
    for (let attempt = 1; attempt <= 12; attempt++)
      await secrets.recordWrongPassword({ id, now: T0 + attempt, lockMs: LOCK_MS })
    expect(await find()).toMatchObject({ wrongPasswords: 10, wrongPasswordAt: T0 + 10, views: 0 })
  })

  test('a burn ends the receipt, and a burn after the last view does not change it', async () => {
    const burned = await open()
    const viewed = await open()
    const { secrets } = burned
    expect(await secrets.burn({ id: burned.id, now: T0 + 1 })).toBe(true)
    expect(await burned.find()).toMatchObject({ views: 0, outcome: 'burned', endedAt: T0 + 1 })
    await secrets.view({ id: viewed.id, claimHash: aHash(), now: T0 + 1, graceMs: MINUTE })
    expect(await secrets.burn({ id: viewed.id, now: T0 + 2 })).toBe(true)
    expect(await viewed.find()).toMatchObject({ views: 1, outcome: 'used-up', endedAt: T0 + 1 })
  })

  test('REL-23: after a race of last view and burn, the receipt shows the first of them', async () => {
    for (let round = 0; round < 20; round++) {
      const opened = await open()
      const { secrets, id, find } = opened
      const view = () => secrets.view({ id, claimHash: aHash(), now: T0 + 1, graceMs: MINUTE })
      const burn = () => secrets.burn({ id, now: T0 + 1 })
      const calls: (() => Promise<unknown>)[] = round % 2 === 0 ? [view, burn] : [burn, view]
      const results = await Promise.all(calls.map((call) => call()))
      const isViewed = results[round % 2 === 0 ? 0 : 1] !== null
      const expected = isViewed ? { views: 1, outcome: 'used-up' } : { views: 0, outcome: 'burned' }
      expect(await find()).toMatchObject({ ...expected, endedAt: T0 + 1 })
    }
  })

  test('REL-23: an expired secret ends its receipt at its expiry, a used-up one keeps its end', async () => {
    const unread = await open()
    const usedUp = await open()
    const { secrets, secret } = unread
    await secrets.view({ id: usedUp.id, claimHash: aHash(), now: T0 + 1, graceMs: MINUTE })
    expect(await unread.find()).toMatchObject({ outcome: null, endedAt: null })
    await secrets.deleteExpired({ now: secret.expiresAt + MINUTE, limit: 10 })
    expect(await unread.find()).toMatchObject({ views: 0, outcome: 'expired', endedAt: secret.expiresAt })
    expect(await usedUp.find()).toMatchObject({ views: 1, outcome: 'used-up', endedAt: T0 + 1 })
  })

  test('lowered limits are on the receipt', async () => {
    const opened = await open({ maxViews: 5 })
    const { secrets, secret, id, find } = opened
    const to = { maxViews: 2, expiresAt: T0 + MINUTE, allowedIp: null }
    await secrets.changeLimits({ id, now: T0, from: { ...to, maxViews: 5, expiresAt: secret.expiresAt }, to })
    expect(await find()).toMatchObject({ maxViews: 2, expiresAt: T0 + MINUTE })
  })

  test('recordRefusal counts until the end', async () => {
    const opened = await open()
    const { secrets, receipts, id, hash, find } = opened
    await race(10, () => receipts.recordRefusal(hash, 'address', T0 + 1))
    await receipts.recordRefusal(hash, 'password', T0 + 2)
    const counted = { refusedAddresses: 10, refusedAddressAt: T0 + 1, wrongPasswords: 1, wrongPasswordAt: T0 + 2 }
    expect(await find()).toMatchObject(counted)
    await secrets.burn({ id, now: T0 + 3 })
    await receipts.recordRefusal(hash, 'address', T0 + 4)
    await receipts.recordRefusal(aHash(), 'address', T0 + 4)
    expect(await find()).toMatchObject(counted)
  })

  test('listByOwner returns the receipt of each secret', async () => {
    const owner = await createUser(users)
    const { secrets, receipts, id, hash } = await open({ ownerId: owner.id, maxViews: 9, createdAt: T0 - 1 })
    const [unread, plain] = [
      (await open({ ownerId: owner.id, createdAt: T0 - 2 })).secret,
      aSecret({ ownerId: owner.id, createdAt: T0 - 3 }),
    ]
    await secrets.create({ secret: plain, now: T0 })
    await secrets.view({ id, claimHash: aHash(), now: T0 + 1, graceMs: MINUTE })
    await secrets.recordWrongPassword({ id, now: T0 + 2, lockMs: LOCK_MS })
    await receipts.recordRefusal(hash, 'address', T0 + 3)
    const listed = await secrets.listByOwner(owner.id, { skip: 0, take: 9 }, T0)
    expect(listed.map((secret) => [secret.id, secret.receipt])).toEqual([
      [id, { viewedAt: T0 + 1, wrongPasswords: 1, refusedAddresses: 1 }],
      [unread.id, { viewedAt: null, wrongPasswords: 0, refusedAddresses: 0 }],
      [plain.id, null],
    ])
  })

  test('deleteEnded deletes up to the limit, and only receipts that ended in time', async () => {
    const [live, ...ending] = [await open(), await open(), await open(), await open()]
    const { receipts, secrets } = live
    for (const { id } of ending) await secrets.burn({ id, now: T0 + 5 })
    expect(await receipts.deleteEnded(T0 + 4, 10)).toBe(0)
    expect(await receipts.deleteEnded(T0 + 5, 2)).toBe(2)
    expect(await receipts.deleteEnded(T0 + 5, 2)).toBe(1)
    expect(await live.find()).not.toBeNull()
    for (const { find } of ending) expect(await find()).toBeNull()
  })

  test('the receipts of a user end with the user', async () => {
    const user = await createUser(users)
    const opened = await open({ ownerId: user.id, maxViews: 2 })
    const ended = await open({ ownerId: user.id })
    await opened.secrets.view({ id: opened.id, claimHash: aHash(), now: T0, graceMs: MINUTE, reader: READER })
    await ended.secrets.burn({ id: ended.id, now: T0 })
    expect(await ended.find()).toMatchObject({ ownerId: user.id })
    await users.remove(user.id, T0)
    expect([await opened.find(), await ended.find()]).toEqual([null, null])
  })
}
