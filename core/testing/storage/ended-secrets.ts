import { expect, test } from 'vitest'
import type { EndedSecretFilter } from '../../contracts/ended-secrets.js'
import type { Secret, Storage } from '../../contracts/storage.js'
import { aHash, aPublicSecret, aRequest, aSecret, aUser, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret, createUser } from '../lib/stored-fixtures.js'
import { race } from './race.js'

const ALL = { skip: 0, take: 100 }
/** Later than the expiry of every secret here. */
const LATER = T0 + 24 * 60 * MINUTE

interface Opened {
  ownerId: string
  create(differing?: Partial<Secret>): Promise<Secret>
  /** The last view of a secret with one view. */
  view(secret: Secret, at: number): Promise<unknown>
  list(filter?: Partial<EndedSecretFilter>): Promise<string[]>
}

export function endedSecretContract({ endedSecrets: ended, secrets, users, requests }: Storage): void {
  /** The body of a test with a user. */
  const withOwner = (run: (opened: Opened) => Promise<void>) => async () => {
    const owner = await createUser(users)
    const filter = { ownerId: owner.id, since: 0, until: LATER }
    await run({
      ownerId: owner.id,
      async create(differing = {}) {
        const secret = await createSecret(secrets, { ownerId: owner.id, ...differing })
        return secret
      },
      view: ({ id }, at) => secrets.view({ id, claimHash: aHash(), now: at, graceMs: MINUTE, recordsEnd: true }),
      list: async (differing) => (await ended.list({ ...filter, ...differing }, ALL)).map(({ id }) => id),
    })
  }

  test(
    'the last view, a burn and the expiry of an owned secret are entries',
    withOwner(async ({ ownerId, create, view }) => {
      const viewed = await create({ maxViews: 2, passwordHash: aHash(), files: 3 })
      const burned = await create({ maxViews: 5 })
      const expired = aPublicSecret({ ownerId, maxViews: 7, preventBurn: true, expiresAt: T0 + 9 * MINUTE })
      await secrets.create({ secret: expired, now: T0 })
      await view(viewed, T0 + 1)
      await view(expired, T0 + 1)
      expect(await ended.list({ ownerId, since: 0, until: T0 + 5 }, ALL)).toEqual([])
      await view(viewed, T0 + 2)
      await secrets.burn({ id: burned.id, now: T0 + 3, events: [], recordsEnd: true })
      const filter = { ownerId, since: 0, until: T0 + 9 * MINUTE }
      const entries = [
        {
          id: expired.id,
          ownerId,
          kind: 'public',
          outcome: 'expired',
          createdAt: expired.createdAt,
          endedAt: T0 + 9 * MINUTE,
          views: 1,
          maxViews: null,
          hasPassword: false,
          files: 0,
        },
        {
          id: burned.id,
          ownerId,
          kind: 'sealed',
          outcome: 'burned',
          createdAt: burned.createdAt,
          endedAt: T0 + 3,
          views: 0,
          maxViews: 5,
          hasPassword: false,
          files: 0,
        },
        {
          id: viewed.id,
          ownerId,
          kind: 'sealed',
          outcome: 'used-up',
          createdAt: viewed.createdAt,
          endedAt: T0 + 2,
          views: 2,
          maxViews: 2,
          hasPassword: true,
          files: 3,
        },
      ]
      expect(await ended.list(filter, ALL)).toEqual(entries)
      await secrets.deleteExpired({ now: T0 + 10 * MINUTE, limit: 100, recordsEnd: true })
      expect(await ended.list(filter, ALL)).toEqual(entries)
    }),
  )

  test(
    'without recordsEnd or an owner, entries are not stored',
    withOwner(async ({ create, list }) => {
      const [viewed, burned] = [await create(), await create()]
      await create({ expiresAt: T0 + MINUTE })
      const visitors = await createSecret(secrets)
      await secrets.burn({ id: visitors.id, now: T0, events: [], recordsEnd: true })
      await secrets.view({ id: viewed.id, claimHash: aHash(), now: T0, graceMs: MINUTE })
      await secrets.burn({ id: burned.id, now: T0 })
      await secrets.deleteExpired({ now: T0 + MINUTE, limit: 100 })
      expect(await list()).toEqual([])
    }),
  )

  test(
    'REL-24: the first end counts, and is recorded once',
    withOwner(async ({ ownerId, create, view }) => {
      const [burned, swept] = [await create(), await create()]
      for (const secret of [burned, swept]) await view(secret, T0 + 1)
      expect(await secrets.burn({ id: burned.id, now: T0 + 2, events: [], recordsEnd: true })).toBe(true)
      await secrets.deleteExpired({ now: LATER, limit: 100, recordsEnd: true })
      const found = await ended.list({ ownerId, since: 0, until: LATER }, ALL)
      expect(found.map(({ outcome, endedAt }) => [outcome, endedAt])).toEqual([
        ['used-up', T0 + 1],
        ['used-up', T0 + 1],
      ])
    }),
  )

  test(
    'REL-24: a secret is listed as live or as ended, before and after the cleanup',
    withOwner(async ({ ownerId, create, view, list }) => {
      const live = await create({ expiresAt: LATER + 1 })
      const expired = await create({ expiresAt: T0 + MINUTE })
      const viewed = await create()
      await view(viewed, T0)
      const isListedOnce = async (now: number) => {
        const listed = (await secrets.listByOwner(ownerId, ALL, now)).map(({ id }) => id)
        const all = [...listed, ...(await list({ until: now }))]
        expect([...all].sort()).toEqual([live.id, expired.id, viewed.id].sort())
      }
      for (const now of [T0, T0 + MINUTE - 1, T0 + MINUTE, T0 + 2 * MINUTE]) await isListedOnce(now)
      expect(await list({ outcome: 'expired', until: T0 + MINUTE })).toEqual([expired.id])
      expect(await list({ outcome: 'burned', until: T0 + MINUTE })).toEqual([])
      await secrets.deleteExpired({ now: T0 + MINUTE, limit: 100, recordsEnd: true })
      await isListedOnce(T0 + 2 * MINUTE)
    }),
  )

  test(
    'REL-24: concurrent views and burns leave one entry for each secret',
    withOwner(async ({ create, view, list }) => {
      for (let round = 0; round < 5; round++) {
        const made = await Promise.all(Array.from({ length: 8 }, () => create()))
        await race(32, (racer) => {
          const secret = made[racer % 8] as Secret
          return racer % 3 === 0
            ? secrets.burn({ id: secret.id, now: T0 + 1, events: [], recordsEnd: true })
            : view(secret, T0 + 1)
        })
        expect(await list()).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
        expect(await list()).toHaveLength(8 * (round + 1))
      }
    }),
  )

  test(
    'a batch of expired secrets with and without owners has entries for the owned ones',
    withOwner(async ({ ownerId, create, list }) => {
      const mine = await Promise.all(Array.from({ length: 250 }, () => create({ expiresAt: T0 + MINUTE })))
      await race(50, () => secrets.create({ secret: aSecret({ expiresAt: T0 + MINUTE }), now: T0 }))
      await secrets.deleteExpired({ now: T0 + MINUTE, limit: 1000, recordsEnd: true })
      const pages = [await list(), await list({ until: T0 })]
      expect(pages.map((page) => page.length)).toEqual([100, 0])
      const found = await ended.list({ ownerId, since: 0, until: LATER }, { skip: 0, take: 1000 })
      expect(found?.map(({ id }) => id).sort()).toEqual(mine.map(({ id }) => id).sort())
    }),
  )

  test(
    'list returns pages with a stable order, and continues after an entry',
    withOwner(async ({ ownerId, create, list }) => {
      for (const at of [5, 5, 7, 9, 9])
        await secrets.burn({ id: (await create()).id, now: T0 + at, events: [], recordsEnd: true })
      for (const at of [5, 7, 9]) await create({ expiresAt: T0 + at })
      const filter = { ownerId, since: T0, until: LATER }
      const all = await ended.list(filter, ALL)
      expect(all.map(({ endedAt }) => endedAt - T0)).toEqual([9, 9, 9, 7, 7, 5, 5, 5])
      const ids = all.map(({ id }) => id)
      expect(await list({ since: T0 + 5, until: T0 + 7 })).toEqual(ids.slice(3, 5))
      for (let skip = 0; skip < ids.length; skip++) {
        const [entry] = await ended.list(filter, { skip, take: 1 })
        expect(entry?.id).toBe(ids[skip])
        expect(await list({ since: T0, ...(entry && { after: entry }) })).toEqual(ids.slice(skip + 1))
      }
      expect(await list({ outcome: 'burned' })).toHaveLength(5)
      expect(await list({ outcome: 'expired', since: T0 + 5 })).toHaveLength(2)
      expect(await list({ ownerId: aUser().id })).toEqual([])
    }),
  )

  test(
    'an id that is used again has the entry of its last end',
    withOwner(async ({ ownerId, create, view }) => {
      const secret = await create()
      await secrets.burn({ id: secret.id, now: T0, events: [], recordsEnd: true })
      await view(await create({ id: secret.id }), T0)
      const found = await ended.list({ ownerId, since: 0, until: LATER }, ALL)
      expect(found.map(({ id, outcome }) => [id, outcome])).toEqual([[secret.id, 'used-up']])
    }),
  )

  test(
    'closing a request records its unopened submissions as burned',
    withOwner(async ({ ownerId, view }) => {
      const submit = async (recordsEnd: boolean) => {
        const request = aRequest({ ownerId, maxSubmissions: 2 })
        await requests.create({ request, now: T0 })
        const [opened, unopened] = [aSecret({ ownerId }), aSecret({ ownerId })]
        for (const secret of [opened, unopened]) await requests.submit(request.id, { secret, size: 1 }, T0)
        await view(opened, T0 + 1)
        await requests.close({ id: request.id, now: T0 + 2, recordsEnd })
        return [
          [unopened.id, 'burned', T0 + 2],
          [opened.id, 'used-up', T0 + 1],
        ]
      }
      const expected = await submit(true)
      const [, viewed] = await submit(false)
      const found = await ended.list({ ownerId, since: 0, until: LATER }, ALL)
      const facts = found.map(({ id, outcome, endedAt }) => [id, outcome, endedAt])
      expect(facts[0]).toEqual(expected[0])
      expect(facts.slice(1)).toEqual(expect.arrayContaining([expected[1], viewed]))
      expect(facts).toHaveLength(3)
    }),
  )

  test(
    'deleteEnded deletes up to the limit, and only entries that ended in time',
    withOwner(async ({ create, list }) => {
      for (const at of [5, 5, 5, 6])
        await secrets.burn({ id: (await create()).id, now: T0 + at, events: [], recordsEnd: true })
      expect(await ended.deleteEnded(T0 + 4, 10)).toBe(0)
      expect(await ended.deleteEnded(T0 + 5, 2)).toBe(2)
      expect(await ended.deleteEnded(T0 + 5, 2)).toBe(1)
      expect(await list()).toHaveLength(1)
    }),
  )

  test(
    'REL-24: the entries of a user end with the user, also entries of a view during the removal',
    withOwner(async ({ ownerId, create, view, list }) => {
      const other = await createUser(users)
      const others = await createSecret(secrets, { ownerId: other.id })
      await view(others, T0)
      const made = await Promise.all(Array.from({ length: 40 }, () => create()))
      await secrets.burn({ id: (await create()).id, now: T0, events: [], recordsEnd: true })
      const ending = made.map((secret, index) =>
        index % 2 === 0 ? view(secret, T0) : secrets.burn({ id: secret.id, now: T0, events: [], recordsEnd: true }),
      )
      const removing = users.remove(ownerId, T0)
      await Promise.all(ending)
      expect(await removing).toBe(true)
      expect(await list()).toEqual([])
      expect(await ended.list({ ownerId: other.id, since: 0, until: LATER }, ALL)).toHaveLength(1)
    }),
  )
}
