import { describe, expect, test } from 'vitest'
import type { Attachment, UploadLimits } from '../../contracts/attachments.js'
import type { Storage } from '../../contracts/storage.js'
import { aHash, anId, anUpload, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

const HOUR = 60 * MINUTE
const NO_LIMITS: UploadLimits = { open: 1000, bytes: null, windowMs: HOUR, storedBytes: null }

/** A complete upload, ready to be attached. */
async function complete({ attachments }: Storage, differing: Partial<Attachment> = {}): Promise<Attachment> {
  const upload = anUpload(differing)
  await attachments.reserve(upload, NO_LIMITS, T0)
  for (let index = 0; index < upload.parts; index++)
    await attachments.recordPart({ id: upload.id, index, expiresAt: upload.expiresAt, now: T0 })
  return upload
}

const bindingOf = ({ id, tokenHash }: Attachment) => ({ id, tokenHash })

/** Creates a secret with files in this order. */
async function attach({ secrets }: Storage, uploads: Attachment[], maxViews = 1) {
  const secret = aSecret({ files: uploads.length, maxViews })
  await secrets.create({ secret, now: T0, files: uploads.map(bindingOf) })
  return secret
}

export function uploadContract(storage: Storage): void {
  const { attachments, secrets } = storage

  test('find returns every field of reserve', async () => {
    const upload = anUpload({
      reservedFor: '0a1b2c3d',
      size: 2 ** 40,
      name: 'Bericht ☃ 🗝.pdf',
      type: 'application/pdf',
    })
    expect(await attachments.reserve(upload, NO_LIMITS, T0)).toBeNull()
    expect(await attachments.find(upload.id, T0)).toEqual(upload)
    expect(await attachments.find(anId(), T0)).toBeNull()
    expect(await attachments.filterStored([anUpload().blob, upload.blob])).toEqual([upload.blob])
  })

  test('recordPart records parts in any order and extends the upload', async () => {
    const upload = anUpload({ parts: 12 })
    await attachments.reserve(upload, NO_LIMITS, T0)
    for (const index of [11, 0, 2, 0]) {
      expect(await attachments.recordPart({ id: upload.id, index, expiresAt: T0 + 2 * HOUR, now: T0 })).toBe(true)
    }
    expect(await attachments.listParts(upload.id, T0)).toEqual([0, 2, 11])
    expect(await attachments.find(upload.id, T0 + 2 * HOUR - 1)).toMatchObject({ expiresAt: T0 + 2 * HOUR })
    expect(await attachments.find(upload.id, T0 + 2 * HOUR)).toBeNull()
    expect(await attachments.listParts(upload.id, T0 + 2 * HOUR)).toEqual([])
    expect(
      await attachments.recordPart({ id: upload.id, index: 1, expiresAt: T0 + 9 * HOUR, now: T0 + 2 * HOUR }),
    ).toBe(false)
    expect(await attachments.recordPart({ id: anId(), index: 1, expiresAt: T0 + 9 * HOUR, now: T0 })).toBe(false)
  })

  test('concurrent recordPart calls record a part once', async () => {
    const upload = anUpload()
    await attachments.reserve(upload, NO_LIMITS, T0)
    const noted = await race(10, () =>
      attachments.recordPart({ id: upload.id, index: 1, expiresAt: T0 + HOUR, now: T0 }),
    )
    expect(count(noted, Boolean)).toBe(10)
    expect(await attachments.listParts(upload.id, T0)).toEqual([1])
  })

  test('all unattached uploads of one uploader are cancelled at once', async () => {
    const uploader = aHash()
    const [open, other] = [anUpload({ uploader }), anUpload()]
    for (const upload of [open, other]) await attachments.reserve(upload, NO_LIMITS, T0)
    const bound = await complete(storage, { uploader })
    const secret = aSecret({ files: 1 })
    await secrets.create({ secret, now: T0, files: [{ id: bound.id, tokenHash: bound.tokenHash }] })
    expect(await attachments.cancelAll(uploader, T0 + 1)).toBe(1)
    expect(await attachments.cancelAll(uploader, T0 + 1)).toBe(0)
    expect(await attachments.find(open.id, T0 + 1)).toBeNull()
    expect(await attachments.find(other.id, T0 + 1)).toMatchObject({ id: other.id })
    expect(await attachments.find(bound.id, T0 + 1)).toMatchObject({ id: bound.id })
  })

  test('a cancelled upload is absent and can be deleted', async () => {
    const upload = await complete(storage)
    expect(await attachments.cancel(upload.id, T0 + 1)).toBe(true)
    expect(await attachments.cancel(upload.id, T0 + 1)).toBe(false)
    expect(await attachments.find(upload.id, T0 + 1)).toBeNull()
    expect(await attachments.listEnded(T0 + 1, 10)).toEqual([{ ...upload, expiresAt: T0 + 1 }])
    expect(await attachments.filterStored([upload.blob])).toEqual([upload.blob])
    await attachments.remove([upload.blob])
    expect(await attachments.listEnded(T0 + 1, 10)).toEqual([])
    expect(await attachments.filterStored([upload.blob])).toEqual([])
  })

  test('listEnded returns up to limit rows, ordered by their end', async () => {
    const uploads = [3, 1, 2].map((hours) => anUpload({ expiresAt: T0 + hours * HOUR }))
    for (const upload of uploads) await attachments.reserve(upload, NO_LIMITS, T0)
    const [third, first, second] = uploads.map(({ id }) => id)
    const ids = async (now: number, limit: number) => (await attachments.listEnded(now, limit)).map(({ id }) => id)
    expect(await ids(T0 + HOUR - 1, 10)).toEqual([])
    expect(await ids(T0 + 9 * HOUR, 10)).toEqual([first, second, third])
    expect(await ids(T0 + 9 * HOUR, 2)).toEqual([first, second])
  })
}

export function uploadLimitContract(storage: Storage): void {
  const { attachments } = storage

  const upload = (uploader: string, differing: Partial<Attachment> = {}) =>
    anUpload({ uploader, size: 100, ...differing })

  test('concurrent reserves never exceed the limit of open uploads', async () => {
    const uploader = aHash()
    const limits = { ...NO_LIMITS, open: 3 }
    const results = await race(12, () => attachments.reserve(upload(uploader), limits, T0))
    expect(count(results, (refused) => refused === null)).toBe(3)
    expect(results.find((refused) => refused !== null)).toEqual({ limit: 'open', until: T0 + HOUR })
    // Other uploaders have their own limit, and an attached or canceled upload does not count.
    expect(await attachments.reserve(upload(aHash()), limits, T0)).toBeNull()
    expect(await attachments.reserve(upload(uploader), limits, T0 + HOUR)).toBeNull()
  })

  test('concurrent reserves never exceed the bytes of a window, and the next upload starts a new window', async () => {
    const uploader = aHash()
    const limits = { ...NO_LIMITS, bytes: 500 }
    const results = await race(12, () => attachments.reserve(upload(uploader), limits, T0))
    expect(count(results, (refused) => refused === null)).toBe(5)
    expect(results.find((refused) => refused !== null)).toEqual({ limit: 'bytes', until: T0 + HOUR })
    expect(await attachments.reserve(upload(aHash()), limits, T0)).toBeNull()
    expect(await attachments.reserve(upload(uploader, { size: 1 }), limits, T0 + HOUR - 1)).not.toBeNull()
    expect(await attachments.reserve(upload(uploader, { size: 500 }), limits, T0 + HOUR)).toBeNull()
    expect(await attachments.reserve(upload(uploader, { size: 1 }), limits, T0 + 2 * HOUR - 1)).not.toBeNull()
  })

  test('concurrent reserves of many uploaders never exceed the stored bytes', async () => {
    const limits = { ...NO_LIMITS, bytes: 1000, storedBytes: 500 }
    const results = await race(12, () => attachments.reserve(upload(aHash()), limits, T0))
    expect(count(results, (refused) => refused === null)).toBe(5)
    expect(results.filter((refused) => refused !== null)).toEqual(Array(7).fill({ limit: 'stored' }))
    expect(await attachments.sumBytes()).toBe(500)
    expect(await attachments.reserve(upload(aHash(), { size: 0 }), limits, T0)).toBeNull()
    expect(await attachments.reserve(upload(aHash(), { size: 2 ** 40 }), NO_LIMITS, T0)).toBeNull()
    expect(await attachments.sumBytes()).toBe(500 + 2 ** 40)
  })

  test('stored bytes are freed when rows are deleted, not when uploads end', async () => {
    expect(await attachments.sumBytes()).toBe(0)
    const limits = { ...NO_LIMITS, storedBytes: 300 }
    const uploads = [upload(aHash()), upload(aHash()), upload(aHash())]
    for (const each of uploads) expect(await attachments.reserve(each, limits, T0)).toBeNull()
    const [one, two, three] = uploads.map(({ blob }) => blob) as [string, string, string]
    await attachments.cancel(uploads[0]?.id ?? '', T0)
    await attachments.endUnused(T0)
    expect(await attachments.reserve(upload(aHash(), { size: 1 }), limits, T0)).toEqual({ limit: 'stored' })
    await race(4, () => attachments.remove([one, two, anUpload().blob]))
    expect(await attachments.sumBytes()).toBe(100)
    const adding = race(5, () => attachments.reserve(upload(aHash(), { size: 10 }), limits, T0))
    await Promise.all([adding, attachments.remove([three]), attachments.endUnused(T0)])
    expect(await attachments.sumBytes()).toBe(50)
    await attachments.endUnused(T0)
    expect(await attachments.sumBytes()).toBe(50)
  })

  test('concurrent reserves never exceed the bytes of an API token, which ended and attached uploads free', async () => {
    const [uploader, limits] = [aHash(), { ...NO_LIMITS, tokenBytes: 300 }]
    const ofToken = (reservedFor: string | null, size = 100) => upload(uploader, { reservedFor, size })
    const started = Array.from({ length: 9 }, () => ofToken('0a1b2c3d'))
    const results = await Promise.all(started.map((each) => attachments.reserve(each, limits, T0)))
    expect(count(results, (refused) => refused === null)).toBe(3)
    expect(results.filter((refused) => refused !== null)).toEqual(Array(6).fill({ limit: 'token' }))
    expect(await attachments.reserve(ofToken('other'), limits, T0)).toBeNull()
    expect(await attachments.reserve(ofToken(null), NO_LIMITS, T0)).toBeNull()
    const [first, second] = started.filter((_, index) => results[index] === null) as [Attachment, Attachment]
    await attachments.cancel(first.id, T0)
    expect(await attachments.reserve(ofToken('0a1b2c3d', 101), limits, T0)).toEqual({ limit: 'token' })
    expect(await attachments.reserve(ofToken('0a1b2c3d'), limits, T0)).toBeNull()
    for (let index = 0; index < second.parts; index++)
      await attachments.recordPart({ id: second.id, index, expiresAt: second.expiresAt, now: T0 })
    await attach(storage, [second])
    expect(await attachments.reserve(ofToken('0a1b2c3d'), limits, T0)).toBeNull()
    expect(await attachments.reserve(ofToken('0a1b2c3d', 300), limits, T0 + HOUR)).toBeNull()
  })

  test('a reserve that the stored bytes refuse does not count for the uploader', async () => {
    const uploader = aHash()
    const limits = { ...NO_LIMITS, open: 1, bytes: 100, storedBytes: 100 }
    const other = upload(aHash())
    await attachments.reserve(other, limits, T0)
    expect(await attachments.reserve(upload(uploader), limits, T0)).toEqual({ limit: 'stored' })
    await attachments.remove([other.blob])
    expect(await attachments.reserve(upload(uploader), limits, T0)).toBeNull()
  })

  test('a refused reserve does not count', async () => {
    const uploader = aHash()
    expect(await attachments.reserve(upload(uploader), { ...NO_LIMITS, open: 1, bytes: 200 }, T0)).toBeNull()
    expect(await attachments.reserve(upload(uploader), { ...NO_LIMITS, open: 1, bytes: 200 }, T0)).not.toBeNull()
    expect(await attachments.reserve(upload(uploader), { ...NO_LIMITS, open: 2, bytes: 200 }, T0)).toBeNull()
  })
}

export function bindingContract(storage: Storage): void {
  const { attachments, secrets } = storage

  test('create attaches files in order, and they end with the secret', async () => {
    const uploads = [await complete(storage), await complete(storage, { parts: 1 }), await complete(storage)]
    const secret = await attach(storage, uploads)
    const bound = uploads.map((upload) => ({ ...upload, secretId: secret.id, expiresAt: secret.expiresAt }))
    expect(await secrets.peek(secret.id, T0)).toMatchObject({ files: 3 })
    expect(await attachments.listBySecret(secret.id, T0)).toEqual(bound)
    expect(await attachments.listBySecret(secret.id, secret.expiresAt)).toEqual([])
    expect(await attachments.listBySecret(anId(), T0)).toEqual([])
    // Storing a part again does not change the lease, and the upload can no longer be canceled.
    expect(
      await attachments.recordPart({ id: uploads[0]?.id ?? '', index: 0, expiresAt: T0 + 9 * HOUR, now: T0 }),
    ).toBe(true)
    expect(await attachments.cancel(uploads[0]?.id ?? '', T0)).toBe(false)
    expect(await attachments.find(uploads[0]?.id ?? '', T0)).toEqual(bound[0])
  })

  test.each<[string, string, (storage: Storage) => Promise<Attachment>]>([
    ['of an unknown upload', 'file.not_found', async () => anUpload()],
    [
      'under another token',
      'file.not_found',
      async (storage) => ({ ...(await complete(storage)), tokenHash: aHash() }),
    ],
    ['that is over', 'file.not_found', (storage) => complete(storage, { expiresAt: T0 })],
    [
      'that another secret has',
      'file.not_found',
      async (storage) => {
        const upload = await complete(storage)
        await attach(storage, [upload])
        return upload
      },
    ],
    [
      'with a part missing',
      'file.incomplete',
      async (storage) => {
        const upload = anUpload({ parts: 2 })
        await storage.attachments.reserve(upload, NO_LIMITS, T0)
        await storage.attachments.recordPart({ id: upload.id, index: 1, expiresAt: T0 + HOUR, now: T0 })
        return upload
      },
    ],
  ])('an upload %s cannot be attached, and nothing is stored', async (_, code, make) => {
    const [sound, unsound] = [await complete(storage), await make(storage)]
    const secret = aSecret({ files: 2 })
    const creating = secrets.create({ secret, now: T0, files: [bindingOf(sound), bindingOf(unsound)] })
    await expect(creating).rejects.toMatchObject({ code, details: { field: 'files.1' } })
    expect(await secrets.peek(secret.id, T0)).toBeNull()
    expect(await attachments.find(sound.id, T0)).toEqual(sound)
    await attach(storage, [sound])
  })

  test('create refuses the same upload twice', async () => {
    const upload = await complete(storage)
    await expect(attach(storage, [upload, upload])).rejects.toMatchObject({ code: 'file.not_found' })
  })

  test('one of several concurrent creates attaches an upload', async () => {
    const upload = await complete(storage)
    const created = await race(8, () => attach(storage, [upload]).catch(({ code }) => code))
    expect(created.filter((result) => result === 'file.not_found')).toHaveLength(7)
  })

  test('a repeated create with one idempotency key attaches nothing', async () => {
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + HOUR }
    const upload = await complete(storage)
    const [first, second] = [aSecret({ files: 1 }), aSecret({ files: 1 })]
    expect(await secrets.create({ secret: first, now: T0, record, files: [bindingOf(upload)] })).toBeNull()
    expect(await secrets.create({ secret: second, now: T0, record, files: [bindingOf(upload)] })).toBe('first ☃')
    expect(await attachments.find(upload.id, T0)).toMatchObject({ secretId: first.id })
  })

  test('burn ends the files and tickets of that secret only', async () => {
    const [upload, other] = [await complete(storage), await complete(storage)]
    const [secret] = [await attach(storage, [upload]), await attach(storage, [other])]
    const ticket = { hash: aHash(), attachmentId: upload.id, expiresAt: T0 + HOUR }
    await attachments.createTickets(secret?.id ?? '', [ticket], null)
    await secrets.burn({ id: secret?.id ?? '', now: T0 + 1 })
    expect(await attachments.find(upload.id, T0 + 1)).toBeNull()
    expect(await attachments.findByTicket(ticket.hash, T0 + 1)).toBeNull()
    expect((await attachments.listEnded(T0 + 1, 10)).map(({ id }) => id)).toEqual([upload.id])
    expect(await attachments.find(other.id, T0 + 1)).not.toBeNull()
  })
}

/** How a used-up secret loses its text. */
const ENDINGS: [string, (storage: Storage, id: string, claim: string) => Promise<unknown>][] = [
  ['acknowledged', ({ secrets }, id, claim) => secrets.ack(id, claim, T0)],
  ['cleaned up', ({ secrets }) => secrets.deleteExpired({ now: T0 + MINUTE, limit: 100 })],
]

export function usedUpFilesContract(storage: Storage): void {
  const { attachments, secrets } = storage

  /** A used-up secret whose file can be downloaded until `T0` + 5 minutes. */
  async function downloading() {
    const [upload, claim] = [await complete(storage), aHash()]
    const secret = await attach(storage, [upload])
    await secrets.view({ id: secret.id, claimHash: claim, now: T0, graceMs: MINUTE })
    const ticket = { hash: aHash(), attachmentId: upload.id, expiresAt: T0 + 5 * MINUTE }
    await attachments.createTickets(secret.id, [ticket], ticket.expiresAt)
    return { secret, upload, claim, ticket }
  }

  describe.each(ENDINGS)('a used-up secret with files that was %s', (_, end) => {
    test('can be burned by one of 20 concurrent callers, which ends its tickets', async () => {
      const { secret, upload, claim, ticket } = await downloading()
      await end(storage, secret.id, claim)
      expect(await secrets.peekBurnable(secret.id, T0 + 2 * MINUTE)).toMatchObject({ burnHash: secret.burnHash })
      expect(await attachments.findByTicket(ticket.hash, T0 + 2 * MINUTE)).toMatchObject({ id: upload.id })
      expect(count(await race(20, () => secrets.burn({ id: secret.id, now: T0 + 2 * MINUTE })), Boolean)).toBe(1)
      expect(await attachments.findByTicket(ticket.hash, T0 + 2 * MINUTE)).toBeNull()
      expect((await attachments.listEnded(T0 + 2 * MINUTE, 10)).map(({ id }) => id)).toEqual([upload.id])
      expect(await secrets.peekBurnable(secret.id, T0 + 2 * MINUTE)).toBeNull()
      await secrets.create({ secret, now: T0 })
    })

    test('is absent for everything else', async () => {
      const { secret, claim } = await downloading()
      await end(storage, secret.id, claim)
      const now = T0 + MINUTE
      const views = await race(10, (racer) =>
        secrets.view({ id: secret.id, claimHash: racer === 0 ? claim : aHash(), now, graceMs: MINUTE }),
      )
      expect(views).toEqual(Array(10).fill(null))
      expect([await secrets.peek(secret.id, now), await secrets.peek(secret.id, now, claim)]).toEqual([null, null])
      expect(await secrets.recordWrongPassword({ id: secret.id, now, lockMs: MINUTE })).toBeNull()
      expect(await secrets.countLive(10, now)).toBe(0)
    })

    test('is deleted when its files have ended', async () => {
      const { secret, claim } = await downloading()
      await end(storage, secret.id, claim)
      expect(await secrets.deleteExpired({ now: T0 + 5 * MINUTE - 1, limit: 100 })).toEqual([])
      expect(await secrets.peekBurnable(secret.id, T0 + 5 * MINUTE)).toBeNull()
      expect(await secrets.burn({ id: secret.id, now: T0 + 5 * MINUTE })).toBe(false)
      expect(await secrets.deleteExpired({ now: T0 + 5 * MINUTE, limit: 100 })).toEqual([
        { id: secret.id, expired: false },
      ])
      await secrets.create({ secret, now: T0 })
    })
  })

  test('burns and views of used-up secrets with files in one batch do not disturb each other', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, downloading))
    for (const { secret, claim } of all) await secrets.ack(secret.id, claim, T0)
    const other = await createSecret(secrets)
    const burning = all.map(({ secret }) => secrets.burn({ id: secret.id, now: T0 }))
    expect(await secrets.view({ id: other.id, claimHash: aHash(), now: T0, graceMs: MINUTE })).toMatchObject({
      text: other.text,
    })
    expect(await Promise.all(burning)).toEqual(all.map(() => true))
  })
}

export function ticketContract(storage: Storage): void {
  const { attachments, secrets } = storage

  async function ticketed(leaseEnd: number | null = null) {
    const upload = await complete(storage)
    const secret = await attach(storage, [upload])
    const ticket = { hash: aHash(), attachmentId: upload.id, expiresAt: T0 + 5 * MINUTE }
    await attachments.createTickets(secret.id, [ticket], leaseEnd)
    return { upload, secret, ticket }
  }

  test('findByTicket returns the file until the ticket expires', async () => {
    const { upload, secret, ticket } = await ticketed()
    const bound = { ...upload, secretId: secret.id, expiresAt: secret.expiresAt }
    expect(await attachments.findByTicket(ticket.hash, T0 + 5 * MINUTE - 1)).toEqual(bound)
    expect(await attachments.findByTicket(ticket.hash, T0 + 5 * MINUTE)).toBeNull()
    expect(await attachments.findByTicket(aHash(), T0)).toBeNull()
  })

  test('createTickets keeps the end of an existing ticket', async () => {
    const { secret, ticket } = await ticketed()
    const reopened = await race(5, () =>
      attachments.createTickets(secret.id, [{ ...ticket, expiresAt: T0 + 9 * MINUTE }], null),
    )
    expect(reopened).toHaveLength(5)
    expect(await attachments.findByTicket(ticket.hash, T0 + 5 * MINUTE)).toBeNull()
  })

  test('createTickets with leaseEnd shortens the lease of files and never extends it', async () => {
    const { upload, secret, ticket } = await ticketed(T0 + 2 * MINUTE)
    await attachments.createTickets(secret.id, [], T0 + 7 * MINUTE)
    expect(await attachments.findByTicket(ticket.hash, T0 + 2 * MINUTE - 1)).not.toBeNull()
    expect(await attachments.findByTicket(ticket.hash, T0 + 2 * MINUTE)).toBeNull()
    expect((await attachments.listEnded(T0 + 2 * MINUTE, 10)).map(({ id }) => id)).toEqual([upload.id])
  })

  test('endUnused ends files of a deleted secret after its last ticket', async () => {
    const { upload, secret } = await ticketed()
    const living = await ticketed()
    const begun = await complete(storage)
    // Used up, acknowledged and deleted, but the lease of its files was not ended.
    await secrets.view({ id: secret.id, claimHash: 'claim', now: T0, graceMs: MINUTE })
    await secrets.ack(secret.id, 'claim', T0)
    await attachments.endUnused(T0 + 5 * MINUTE - 1)
    expect(await attachments.find(upload.id, T0 + 5 * MINUTE - 1)).not.toBeNull()
    await attachments.endUnused(T0 + 5 * MINUTE)
    expect(await attachments.find(upload.id, T0 + 5 * MINUTE)).toBeNull()
    for (const { id } of [living.upload, begun]) expect(await attachments.find(id, T0 + 5 * MINUTE)).not.toBeNull()
  })

  test('remove deletes the tickets of a file', async () => {
    const { upload, ticket } = await ticketed()
    await attachments.remove([upload.blob])
    expect(await attachments.findByTicket(ticket.hash, T0)).toBeNull()
  })
}

export function leaseContract({ leases }: Storage): void {
  test('one of several concurrent holders acquires a lease and can renew it', async () => {
    const taken = await race(10, (index) =>
      leases.acquire({ name: 'cleanup', holder: `holder-${index}`, until: T0 + MINUTE, now: T0 }),
    )
    expect(count(taken, Boolean)).toBe(1)
    const holder = `holder-${taken.indexOf(true)}`
    expect(await leases.acquire({ name: 'cleanup', holder, until: T0 + 3 * MINUTE, now: T0 + 1 })).toBe(true)
    expect(
      await leases.acquire({ name: 'cleanup', holder: 'another', until: T0 + 9 * MINUTE, now: T0 + 2 * MINUTE }),
    ).toBe(false)
    expect(await leases.acquire({ name: 'else', holder: 'another', until: T0 + MINUTE, now: T0 })).toBe(true)
    expect(
      await leases.acquire({ name: 'cleanup', holder: 'another', until: T0 + 9 * MINUTE, now: T0 + 3 * MINUTE }),
    ).toBe(true)
    expect(await leases.acquire({ name: 'cleanup', holder, until: T0 + 9 * MINUTE, now: T0 + 3 * MINUTE })).toBe(false)
  })
}
