import { expect, test } from 'vitest'
import type { SecretRequest } from '../../contracts/requests.js'
import type { RequestStore, Secret, Storage } from '../../contracts/storage.js'
import { aHash, anEvent, anId, anUpload, aRequest, aSecret, aUser, DAY, MINUTE, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

const SIZE = 4321

export function requestContract(storage: Storage): void {
  const { requests } = storage

  const testRequests = (name: string, run: (requests: RequestStore, storage: Storage) => Promise<void>) =>
    test(name, () => run(requests, storage))

  testRequests('find returns every field of create', async (requests, { users }) => {
    const owner = await createUser(users)
    const full = aRequest({
      ownerId: owner.id,
      note: 'verschlüsselt ☃ 🗝\n'.repeat(300),
      maxBytes: 2 ** 40,
      allowFiles: false,
      allowedIp: '2001:db8::/32',
      notify: true,
    })
    for (const request of [aRequest(), full]) {
      await requests.create({ request, now: T0 })
      expect(await requests.find(request.id, T0)).toEqual(request)
      expect(await requests.find(request.id, request.expiresAt - 1)).toEqual(request)
      expect(await requests.find(request.id, request.expiresAt)).toBeNull()
    }
    expect(await requests.find(anId(), T0)).toBeNull()
  })

  testRequests('create rejects an existing id and a deleted owner', async (requests) => {
    const request = aRequest()
    await requests.create({ request, now: T0 })
    await expect(requests.create({ request: aRequest({ id: request.id }), now: T0 })).rejects.toMatchObject({
      code: 'storage.conflict',
    })
    await expect(requests.create({ request: aRequest({ ownerId: anId() }), now: T0 })).rejects.toMatchObject({
      code: 'storage.conflict',
    })
  })

  testRequests(
    'a repeated create returns the first response and stores nothing',
    async (requests, { users, outbox }) => {
      const owner = await createUser(users)
      const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + MINUTE }
      const made = Array.from({ length: 10 }, () => aRequest({ ownerId: owner.id }))
      const list = async (now: number) => (await requests.listByOwner(owner.id, { skip: 0, take: 100 }, now)).length
      const create = (request: SecretRequest | undefined, now: number, response = record.response) =>
        requests.create({
          request: request ?? aRequest(),
          now,
          record: { ...record, response, expiresAt: now + MINUTE },
          events: [anEvent()],
        })
      const results = await race(10, (racer) => create(made[racer], T0))
      expect(count(results, (response) => response === null)).toBe(1)
      expect(count(results, (response) => response === record.response)).toBe(9)
      expect(await list(T0)).toBe(1)
      expect(await outbox.list({}, { skip: 0, take: 100 })).toHaveLength(1)
      // The record has expired.
      const next = aRequest({ ownerId: owner.id, createdAt: T0 + MINUTE })
      expect(await create(next, T0 + MINUTE, 'second')).toBeNull()
      expect(await create(aRequest({ ownerId: owner.id }), T0 + MINUTE)).toBe('second')
      expect(await list(T0 + MINUTE)).toBe(2)
      // A create with an existing id is a conflict, not a repeated create.
      const other = { keyHash: aHash(), response: '', expiresAt: T0 + 9 * MINUTE }
      await expect(requests.create({ request: next, now: T0 + MINUTE, record: other })).rejects.toMatchObject({
        code: 'storage.conflict',
      })
      expect(await requests.create({ request: aRequest(), now: T0 + MINUTE, record: other })).toBeNull()
    },
  )

  testRequests('a submission is a secret, and the request lists it', async (requests, { secrets }) => {
    const request = aRequest({ maxSubmissions: 2 })
    await requests.create({ request, now: T0 })
    const [first, second] = [aSecret({ createdAt: T0 + 1 }), aSecret({ expiresAt: T0 + MINUTE })]
    for (const secret of [first, second]) {
      expect(await requests.submit(request.id, { secret, size: SIZE }, T0)).toEqual({ outcome: 'stored' })
    }
    expect(await requests.find(request.id, T0)).toEqual({ ...request, submissions: 2 })
    const entry = ({ id, createdAt, expiresAt }: Secret) => ({ id, createdAt, expiresAt, size: SIZE, files: 0 })
    expect(await requests.listSubmissions(request.id, T0)).toEqual([
      { ...entry(second), viewed: false },
      { ...entry(first), viewed: false },
    ])
    const later = await requests.listSubmissions(request.id, T0 + MINUTE)
    expect(later.map(({ viewed }) => viewed)).toEqual([true, false])
    expect(await secrets.view({ id: first.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: first.text,
      counted: true,
    })
    await secrets.burn({ id: second.id, now: T0 })
    expect((await requests.listSubmissions(request.id, T0)).map(({ viewed }) => viewed)).toEqual([true, true])
    expect(await requests.listSubmissions(request.id, request.expiresAt)).toEqual([])
    expect(await requests.listSubmissions(anId(), T0)).toEqual([])
  })

  testRequests(
    'an absent or complete request refuses submissions and stores nothing',
    async (requests, { secrets }) => {
      const [request, expired] = [aRequest(), aRequest({ expiresAt: T0 })]
      for (const each of [request, expired]) await requests.create({ request: each, now: T0 })
      await requests.submit(request.id, { secret: aSecret(), size: SIZE }, T0)
      for (const id of [request.id, expired.id, anId()]) {
        const secret = aSecret()
        expect(await requests.submit(id, { secret, size: SIZE }, T0)).toEqual({ outcome: 'refused' })
        expect(await secrets.peek(secret.id, T0)).toBeNull()
      }
      expect(await requests.listSubmissions(request.id, T0)).toHaveLength(1)
    },
  )

  testRequests('32 racing submissions get exactly the slots of a request', async (requests, { secrets }) => {
    for (const maxSubmissions of [1, 3]) {
      const request = aRequest({ maxSubmissions })
      await requests.create({ request, now: T0 })
      const racing = Array.from({ length: 32 }, () => aSecret())
      const results = await race(32, (racer) =>
        requests.submit(request.id, { secret: racing[racer] as Secret, size: SIZE }, T0),
      )
      expect(count(results, ({ outcome }) => outcome === 'stored')).toBe(maxSubmissions)
      expect(count(results, ({ outcome }) => outcome === 'refused')).toBe(32 - maxSubmissions)
      expect(await requests.listSubmissions(request.id, T0)).toHaveLength(maxSubmissions)
      const stored = await Promise.all(racing.map(({ id }) => secrets.peek(id, T0)))
      expect(count(stored, (secret) => secret !== null)).toBe(maxSubmissions)
    }
  })

  testRequests('a repeated submission returns the first response and takes no slot', async (requests, { secrets }) => {
    const request = aRequest({ maxSubmissions: 2 })
    await requests.create({ request, now: T0 })
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + DAY }
    const [first, second] = [aSecret(), aSecret()]
    await requests.submit(request.id, { secret: first, size: SIZE, record }, T0)
    const repeated = await requests.submit(request.id, { secret: second, size: SIZE, record }, T0)
    expect(repeated).toEqual({ outcome: 'repeated', response: 'first ☃' })
    expect(await secrets.peek(second.id, T0)).toBeNull()
    expect(await requests.find(request.id, T0)).toMatchObject({ submissions: 1 })
  })

  testRequests('a failed submission takes no slot', async (requests, { attachments, secrets }) => {
    const request = aRequest()
    await requests.create({ request, now: T0 })
    const upload = anUpload({ parts: 1 })
    await attachments.reserve(upload, { open: 10, bytes: null, windowMs: MINUTE, storedBytes: null }, T0)
    const files = [{ id: upload.id, tokenHash: upload.tokenHash }]
    const secret = aSecret({ files: 1 })
    const submit = () => requests.submit(request.id, { secret, size: SIZE, files }, T0)
    await expect(submit()).rejects.toMatchObject({ code: 'file.incomplete' })
    expect(await requests.find(request.id, T0)).toMatchObject({ submissions: 0 })
    expect(await secrets.peek(secret.id, T0)).toBeNull()
    await attachments.recordPart({ id: upload.id, index: 0, expiresAt: upload.expiresAt, now: T0 })
    expect(await submit()).toEqual({ outcome: 'stored' })
    expect(await attachments.listBySecret(secret.id, T0)).toMatchObject([{ id: upload.id }])
    expect(await requests.listSubmissions(request.id, T0)).toMatchObject([{ files: 1 }])
  })

  testRequests('one of 10 concurrent closes burns the unopened submissions', async (requests, { secrets }) => {
    const request = aRequest({ maxSubmissions: 9 })
    await requests.create({ request, now: T0 })
    const [unopened, opened] = [aSecret(), aSecret()]
    for (const secret of [unopened, opened]) await requests.submit(request.id, { secret, size: SIZE }, T0)
    const claim = aHash()
    await secrets.view({ id: opened.id, claimHash: claim, now: T0, graceMs: MINUTE })
    const results = await race(10, () => requests.close({ id: request.id, now: T0 }))
    expect(results.filter((burned) => burned !== null)).toMatchObject([[{ id: unopened.id }]])
    expect(await secrets.peek(unopened.id, T0)).toBeNull()
    // The collector who opened it may still repeat the view.
    expect(await secrets.view({ id: opened.id, claimHash: claim, now: T0, graceMs: MINUTE })).toMatchObject({
      text: opened.text,
      counted: false,
    })
    expect(await requests.find(request.id, T0)).toBeNull()
    expect(await requests.listSubmissions(request.id, T0)).toEqual([])
    const late = await requests.submit(request.id, { secret: aSecret(), size: SIZE }, T0)
    expect(late).toEqual({ outcome: 'refused' })
    expect(await requests.close({ id: anId(), now: T0 })).toBeNull()
  })

  testRequests('changes of requests store their events, and refused changes none', async (requests, { outbox }) => {
    const request = aRequest({ maxSubmissions: 2 })
    const data = async () => (await outbox.list({}, { skip: 0, take: 100 })).map((entry) => entry.data).reverse()
    const event = (name: string) => anEvent({ data: JSON.stringify(name) })
    await requests.create({ request, now: T0, events: [event('erstellt ☃')] })
    await expect(
      requests.create({ request: aRequest({ id: request.id }), now: T0, events: [event('never')] }),
    ).rejects.toThrow()
    const record = { keyHash: aHash(), response: 'first', expiresAt: T0 + DAY }
    const [first, second] = [aSecret(), aSecret()]
    const submit = (secret: Secret, more: object = {}) =>
      requests.submit(
        request.id,
        {
          secret,
          size: SIZE,
          events: [event('secret')],
          toEvents: (submissions: number) => [event(`submission ${submissions}`)],
          ...more,
        },
        T0,
      )
    await submit(first, { record })
    await submit(aSecret(), { record })
    await submit(second)
    await submit(aSecret())
    const close = () =>
      requests.close({ id: request.id, now: T0, toEvents: (burned) => burned.map(({ id }) => event(id)) })
    await close()
    await close()
    const stored = ['erstellt ☃', 'secret', 'submission 1', 'secret', 'submission 2'].map((name) =>
      JSON.stringify(name),
    )
    expect((await data()).slice(0, 5)).toEqual(stored)
    expect((await data()).slice(5).sort()).toEqual([first.id, second.id].map((id) => JSON.stringify(id)).sort())
  })

  testRequests('racing submissions with events count each number once', async (requests, { outbox }) => {
    const request = aRequest({ maxSubmissions: 5 })
    await requests.create({ request, now: T0 })
    const toEvents = (submissions: number) => [anEvent({ data: String(submissions) })]
    await race(20, () => requests.submit(request.id, { secret: aSecret(), size: SIZE, toEvents }, T0))
    const entries = await outbox.list({}, { skip: 0, take: 100 })
    expect(entries.map(({ data }) => data).sort()).toEqual(['1', '2', '3', '4', '5'])
  })

  testRequests('listByOwner returns pages, newest first', async (requests, { users }) => {
    const [owner, other] = [aUser(), aUser()]
    for (const user of [owner, other]) await users.create(user)
    const made = [2, 1, 3].map((minute) => aRequest({ ownerId: owner.id, createdAt: T0 - minute * MINUTE }))
    const more = [aRequest({ ownerId: other.id }), aRequest(), aRequest({ ownerId: owner.id, expiresAt: T0 })]
    for (const request of [...made, ...more]) await requests.create({ request, now: T0 })
    const ids = async (skip: number, take: number) =>
      (await requests.listByOwner(owner.id, { skip, take }, T0)).map(({ id }) => id)
    const [second, first, third] = made.map(({ id }) => id)
    expect(await ids(0, 10)).toEqual([first, second, third])
    expect(await ids(1, 1)).toEqual([second])
  })

  testRequests('listByOwner counts the submissions that can still be opened', async (requests, { secrets, users }) => {
    const owner = await createUser(users)
    const [empty, full] = [3, 2].map((minute) =>
      aRequest({ ownerId: owner.id, maxSubmissions: 9, createdAt: T0 - minute * MINUTE }),
    )
    for (const request of [empty, full]) await requests.create({ request: request as SecretRequest, now: T0 })
    const list = (now: number) => requests.listByOwner(owner.id, { skip: 0, take: 10 }, now)
    const [viewed, burned, expiring, waiting] = [
      aSecret({ maxViews: 1 }),
      aSecret(),
      aSecret({ expiresAt: T0 + MINUTE }),
      aSecret(),
    ]
    for (const secret of [viewed, burned, expiring, waiting]) {
      await requests.submit(full?.id ?? '', { secret, size: SIZE }, T0)
    }
    expect(await list(T0)).toEqual([
      { ...full, submissions: 4, unopened: 4 },
      { ...empty, unopened: 0 },
    ])
    await secrets.view({ id: viewed.id, claimHash: aHash(), now: T0, graceMs: MINUTE })
    await secrets.burn({ id: burned.id, now: T0 })
    expect((await list(T0)).map(({ unopened }) => unopened)).toEqual([2, 0])
    expect((await list(T0 + MINUTE)).map(({ unopened }) => unopened)).toEqual([1, 0])
  })

  testRequests('deleting a user deletes their requests', async (requests, { users }) => {
    const owner = await createUser(users)
    const [own, others] = [aRequest({ ownerId: owner.id }), aRequest()]
    for (const request of [own, others]) await requests.create({ request, now: T0 })
    await requests.submit(own.id, { secret: aSecret({ ownerId: owner.id }), size: SIZE }, T0)
    await users.remove(owner.id, T0)
    expect(await requests.find(own.id, T0)).toBeNull()
    expect(await requests.find(others.id, T0)).not.toBeNull()
  })

  testRequests('deleteExpired deletes up to limit requests and keeps their secrets', async (requests, { secrets }) => {
    const made = [1, 2, 3].map((minute) => aRequest({ expiresAt: T0 + minute * MINUTE }))
    for (const request of made) await requests.create({ request, now: T0 })
    const secret = aSecret({ expiresAt: T0 + DAY })
    await requests.submit(made[0]?.id ?? '', { secret, size: SIZE }, T0)
    expect(await requests.deleteExpired(T0, 10)).toBe(0)
    expect(await requests.deleteExpired(T0 + 2 * MINUTE, 1)).toBe(1)
    expect(await requests.deleteExpired(T0 + 2 * MINUTE, 10)).toBe(1)
    expect(await secrets.peek(secret.id, T0)).not.toBeNull()
    expect(await requests.find(made[2]?.id ?? '', T0)).not.toBeNull()
  })

  testRequests(
    'deleteExpired stores events of the requests that it deletes, but not of closed ones',
    async (requests, { outbox }) => {
      const ended = T0 + 10 * MINUTE
      const [waiting, closed, live] = [
        aRequest({ maxSubmissions: 2, note: 'ö ☃' }),
        aRequest(),
        aRequest({ expiresAt: ended + 1 }),
      ]
      for (const request of [waiting, closed, live]) await requests.create({ request, now: T0 })
      await requests.submit(waiting.id, { secret: aSecret(), size: SIZE }, T0)
      await requests.close({ id: closed.id, now: T0 })
      const toEvents = (request: SecretRequest) => [anEvent({ data: JSON.stringify(request) })]
      // Concurrent cleanups delete it once.
      const deleted = await race(4, () => requests.deleteExpired(ended, 10, toEvents))
      expect(deleted.reduce((sum, each) => sum + each, 0)).toBe(1)
      const stored = await outbox.list({}, { skip: 0, take: 100 })
      expect(stored.map(({ data }) => JSON.parse(data))).toEqual([{ ...waiting, submissions: 1 }])
      expect(await requests.find(waiting.id, T0)).toBeNull()
    },
  )
}
