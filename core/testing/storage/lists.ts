import { expect, test } from 'vitest'
import type { Secret, Storage } from '../../contracts/storage.js'
import { aHash, aPublicSecret, aSecret, aUser, MINUTE, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'

const ALL = { skip: 0, take: 100 }
const ids = (listed: { id: string }[]) => listed.map(({ id }) => id)

export function listContract({ secrets, users }: Storage): void {
  /** Stores secrets created one minute apart. Returns them newest first. */
  async function stored(...created: Secret[]): Promise<Secret[]> {
    const dated = created.map((secret, index) => ({ ...secret, createdAt: T0 + index }))
    for (const secret of dated) await secrets.create({ secret, now: T0 })
    return dated.reverse()
  }

  async function someone() {
    const user = await createUser(users)
    return user
  }

  test("an owner's own secrets, newest first, without their texts", async () => {
    const [owner, other] = [await someone(), await someone()]
    const own = await stored(
      aSecret({ ownerId: owner.id }),
      aPublicSecret({ ownerId: owner.id }),
      aSecret({ ownerId: owner.id }),
    )
    await stored(aSecret({ ownerId: other.id }), aSecret())
    const metas = own.map(({ text, ...meta }) => ({ ...meta, receipt: null }))
    expect(await secrets.listByOwner(owner.id, ALL, T0)).toEqual(metas)
    expect(await secrets.listByOwner(owner.id, { skip: 1, take: 1 }, T0)).toEqual(metas.slice(1, 2))
    expect(await secrets.listByOwner(owner.id, { skip: 3, take: 5 }, T0)).toEqual([])
    expect(await secrets.listByOwner(aUser().id, ALL, T0)).toEqual([])
  })

  test('listPublic returns public secrets, newest first, with public fields', async () => {
    const owner = await someone()
    await stored(aSecret(), aSecret({ kind: 'raw', ownerId: owner.id }))
    const listed = await stored(aPublicSecret(), aPublicSecret({ ownerId: owner.id, title: null }), aPublicSecret())
    const expected = listed.map(({ id, title, ownerId, createdAt, expiresAt }) => {
      return { id, title, username: ownerId === null ? null : owner.username, createdAt, expiresAt }
    })
    expect(await secrets.listPublic({}, ALL, T0)).toEqual(expected)
    expect(await secrets.listPublic({}, { skip: 1, take: 1 }, T0)).toEqual(expected.slice(1, 2))
  })

  test('listPublic filters by username', async () => {
    const [owner, other] = [await someone(), await someone()]
    const own = await stored(aPublicSecret({ ownerId: owner.id }), aPublicSecret({ ownerId: owner.id }))
    await stored(aPublicSecret(), aPublicSecret({ ownerId: other.id }), aSecret({ ownerId: owner.id }))
    expect(ids(await secrets.listPublic({ username: owner.username }, ALL, T0))).toEqual(ids(own))
    expect(await secrets.listPublic({ username: 'missing' }, ALL, T0)).toEqual([])
  })

  test('used-up secrets are not listed', async () => {
    const owner = await someone()
    const [secret] = await stored(aPublicSecret({ ownerId: owner.id, maxViews: 1 }))
    await secrets.view({ id: secret?.id ?? '', claimHash: aHash(), now: T0, graceMs: MINUTE })
    expect(await secrets.listByOwner(owner.id, ALL, T0)).toEqual([])
    expect(await secrets.listPublic({}, ALL, T0)).toEqual([])
  })

  test('countLive counts live secrets up to the given maximum', async () => {
    const start = await secrets.countLive(100, T0)
    expect(start).toBe(0)
    const [, twice, once] = await stored(aSecret(), aSecret({ maxViews: 1 }), aSecret({ maxViews: 2 }), aPublicSecret())
    for (const secret of [once, twice])
      await secrets.view({ id: secret?.id ?? '', claimHash: aHash(), now: T0, graceMs: MINUTE })
    expect(await secrets.countLive(100, T0)).toBe(3)
    expect(await secrets.countLive(2, T0)).toBe(2)
    await secrets.create({ secret: aSecret({ expiresAt: T0 + MINUTE, maxViews: null }), now: T0 })
    expect(await secrets.countLive(100, T0)).toBe(4)
    expect(await secrets.countLive(100, T0 + MINUTE)).toBe(3)
  })

  test('pages of secrets with the same time have no gaps and no duplicates', async () => {
    const owner = await someone()
    const made = Array.from({ length: 7 }, () => aPublicSecret({ ownerId: owner.id }))
    for (const secret of made) await secrets.create({ secret, now: T0 })
    for (const list of [secrets.listPublic.bind(null, {}), secrets.listByOwner.bind(null, owner.id)]) {
      const pages = await Promise.all([0, 2, 4, 6].map((skip) => list({ skip, take: 2 }, T0)))
      expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1])
      expect(ids(pages.flat()).sort()).toEqual(ids(made).sort())
    }
  })
}
