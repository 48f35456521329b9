import { describe, expect, test } from 'vitest'
import type { Attachment, UploadLimits } from '../../contracts/attachments.js'
import type { Secret, Storage } from '../../contracts/storage.js'
import { aHash, anUpload, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createUser } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

const HOUR = 60 * MINUTE
const NO_LIMITS: UploadLimits = { open: 1000, bytes: null, windowMs: HOUR, storedBytes: null }

/** How a secret with a file ends at `T0` + 1 minute. */
const ENDINGS: [string, (storage: Storage, secret: Secret) => Promise<unknown>][] = [
  ['burned', ({ secrets }, { id }) => secrets.burn({ id, now: T0 + MINUTE })],
  ['expired', ({ secrets }) => secrets.deleteExpired({ now: T0 + MINUTE, limit: 100 })],
  ['deleted with its user', ({ users }, { ownerId }) => users.remove(ownerId ?? '', T0 + MINUTE)],
  [
    'viewed',
    async ({ secrets, attachments }, { id }) => {
      await secrets.view({ id, claimHash: 'claim', now: T0, graceMs: MINUTE })
      await attachments.createTickets(id, [], T0 + MINUTE)
    },
  ],
]

/** Files of several secrets. */
export function sharedFilesContract(storage: Storage): void {
  const { attachments, secrets, users } = storage

  async function completeUpload(differing: Partial<Attachment> = {}): Promise<Attachment> {
    const upload = anUpload({ copies: 3, ...differing })
    await attachments.reserve(upload, NO_LIMITS, T0)
    for (let index = 0; index < upload.parts; index++)
      await attachments.recordPart({ id: upload.id, index, expiresAt: upload.expiresAt, now: T0 })
    return upload
  }

  async function attach({ id, tokenHash }: Attachment, differing: Partial<Secret> = {}): Promise<Secret> {
    const secret = aSecret({ files: 1, maxViews: 1, ...differing })
    await secrets.create({ secret, now: T0, files: [{ id, tokenHash }] })
    return secret
  }

  const codeOf = ({ code }: { code?: string }) => code

  test('an upload with copies is attached to each secret, and ends with the last copy', async () => {
    const upload = await completeUpload({ copies: 2 })
    const first = await attach(upload)
    expect(await attachments.find(upload.id, T0)).toEqual({ ...upload, copiesMade: 1 })
    const second = await attach(upload)
    expect(await attachments.find(upload.id, T0)).toBeNull()
    const files = [first, second].map(({ id }) => attachments.listBySecret(id, T0))
    const [[one], [two]] = (await Promise.all(files)) as [[Attachment], [Attachment]]
    expect(one).toEqual({ ...upload, id: one.id, secretId: first.id, expiresAt: first.expiresAt })
    expect(two).toEqual({ ...upload, id: two.id, secretId: second.id, expiresAt: second.expiresAt })
    expect(new Set([upload.id, one.id, two.id]).size).toBe(3)
  })

  test('an upload is attached to exactly as many concurrent secrets as it has copies', async () => {
    const [upload, other] = [await completeUpload({ copies: 7 }), await completeUpload({ copies: 9 })]
    const attachBoth = (racer: number) => {
      const files = [upload, other].map(({ id, tokenHash }) => ({ id, tokenHash }))
      const secret = aSecret({ files: 2 })
      const ordered = racer % 2 === 0 ? files : files.reverse()
      return storage.secrets.create({ secret, now: T0, files: ordered }).then(() => secret)
    }
    const results = await race(20, (racer) => attachBoth(racer).catch((error) => codeOf(error)))
    const attached = results.filter((result): result is Secret => typeof result === 'object')
    expect(results.filter((result) => typeof result !== 'object')).toEqual(Array(13).fill('file.not_found'))
    expect(attached).toHaveLength(7)
    for (const { id } of attached) expect(await attachments.listBySecret(id, T0)).toHaveLength(2)
    expect(await attachments.find(upload.id, T0)).toBeNull()
    // The copies of the other upload for the refused secrets were undone.
    expect(await attachments.find(other.id, T0)).toMatchObject({ copiesMade: 7 })
  })

  test('an incomplete upload, a wrong token and a repeated upload are refused, and do not make a copy', async () => {
    const incomplete = anUpload({ copies: 3, parts: 2 })
    await attachments.reserve(incomplete, NO_LIMITS, T0)
    await attachments.recordPart({ id: incomplete.id, index: 0, expiresAt: incomplete.expiresAt, now: T0 })
    const upload = await completeUpload()
    await expect(attach(incomplete)).rejects.toMatchObject({ code: 'file.incomplete', details: { field: 'files.0' } })
    await expect(attach({ ...upload, tokenHash: aHash() })).rejects.toMatchObject({ code: 'file.not_found' })
    const twice = [upload, upload].map(({ id, tokenHash }) => ({ id, tokenHash }))
    await expect(secrets.create({ secret: aSecret({ files: 2 }), now: T0, files: twice })).rejects.toMatchObject({
      code: 'file.not_found',
      details: { field: 'files.1' },
    })
    for (const each of [incomplete, upload]) expect(await attachments.find(each.id, T0)).toEqual(each)
  })

  test('a repeated create with one idempotency key makes one copy', async () => {
    const upload = await completeUpload()
    const record = { keyHash: aHash(), response: 'first ☃', expiresAt: T0 + HOUR }
    const files = [{ id: upload.id, tokenHash: upload.tokenHash }]
    const results = await race(5, () => secrets.create({ secret: aSecret({ files: 1 }), now: T0, record, files }))
    expect(count(results, (result) => result === null)).toBe(1)
    expect(await attachments.find(upload.id, T0)).toMatchObject({ copiesMade: 1 })
  })

  describe.each(ENDINGS)('a file of a secret that is %s', (_, end) => {
    test('ends for that secret only, and is deleted with the last one', async () => {
      const owner = await createUser(users)
      const upload = await completeUpload({ copies: 2, size: 100 })
      const ending = await attach(upload, { ownerId: owner.id, expiresAt: T0 + MINUTE })
      const other = await attach(upload)
      const later = T0 + MINUTE
      await end(storage, ending)
      expect(await attachments.listBySecret(ending.id, later)).toEqual([])
      expect(await attachments.listBySecret(other.id, later)).toHaveLength(1)
      expect(await attachments.listEnded(later, 10)).toEqual([])
      expect(await attachments.sumBytes()).toBe(100)
      // The closed upload and the file of the ended secret.
      expect(await attachments.removeEndedCopies(later, 1)).toBe(1)
      expect(await attachments.removeEndedCopies(later, 10)).toBe(1)
      expect(await attachments.removeEndedCopies(later, 10)).toBe(0)
      expect(await attachments.filterStored([upload.blob])).toEqual([upload.blob])
      await secrets.burn({ id: other.id, now: later })
      expect(await attachments.removeEndedCopies(later, 10)).toBe(0)
      expect(await attachments.listEnded(later, 10)).toMatchObject([{ blob: upload.blob, secretId: other.id }])
      expect(await attachments.remove([upload.blob])).toBe(1)
      expect(await attachments.filterStored([upload.blob])).toEqual([])
      expect(await attachments.sumBytes()).toBe(0)
    })
  })

  test('blobs stay while the upload can be attached, and after its end while a secret has them', async () => {
    const [abandoned, used] = [await completeUpload(), await completeUpload()]
    const [first, second] = [await attach(abandoned), await attach(used, { expiresAt: T0 + 3 * HOUR })]
    await secrets.burn({ id: first.id, now: T0 })
    expect(await attachments.listEnded(T0 + HOUR - 1, 10)).toEqual([])
    const ended = await attachments.listEnded(T0 + HOUR, 10)
    expect(new Set(ended.map(({ blob }) => blob))).toEqual(new Set([abandoned.blob]))
    expect(ended).toHaveLength(2)
    await expect(
      secrets.create({
        secret: aSecret({ files: 1 }),
        now: T0 + HOUR,
        files: [{ id: used.id, tokenHash: used.tokenHash }],
      }),
    ).rejects.toMatchObject({ code: 'file.not_found' })
    expect(await attachments.listBySecret(second.id, T0 + 2 * HOUR)).toHaveLength(1)
    expect((await attachments.listEnded(T0 + 3 * HOUR, 10)).map(({ blob }) => blob)).toContain(used.blob)
  })

  test('cancel ends an upload and none of its copies', async () => {
    const upload = await completeUpload()
    const secret = await attach(upload)
    expect(await attachments.cancel(upload.id, T0)).toBe(true)
    await expect(attach(upload)).rejects.toMatchObject({ code: 'file.not_found' })
    expect(await attachments.listBySecret(secret.id, T0)).toHaveLength(1)
    expect(await attachments.listEnded(T0, 10)).toEqual([])
  })

  test('a ticket belongs to the file of one secret', async () => {
    const upload = await completeUpload()
    const [first, second] = [await attach(upload), await attach(upload)]
    const ticketOf = async ({ id }: Secret) => {
      const [file] = await attachments.listBySecret(id, T0)
      const ticket = { hash: aHash(), attachmentId: file?.id ?? '', expiresAt: T0 + MINUTE }
      await attachments.createTickets(id, [ticket], null)
      return ticket.hash
    }
    const [one, two] = [await ticketOf(first), await ticketOf(second)]
    expect(await attachments.findByTicket(one, T0)).toMatchObject({ secretId: first.id, fileId: upload.id })
    await secrets.burn({ id: first.id, now: T0 })
    expect(await attachments.findByTicket(one, T0)).toBeNull()
    expect(await attachments.findByTicket(two, T0)).toMatchObject({ secretId: second.id, fileId: upload.id })
  })

  test('concurrent ends of 50 secrets leave the blobs to the last one', async () => {
    const upload = await completeUpload({ copies: 50, size: 100 })
    const all = await Promise.all(Array.from({ length: 50 }, () => attach(upload)))
    const [kept, ...others] = all as [Secret, ...Secret[]]
    const cleaning = race(4, () => attachments.removeEndedCopies(T0 + MINUTE, 10))
    const burning = Promise.all(others.map(({ id }) => secrets.burn({ id, now: T0 + MINUTE })))
    await Promise.all([cleaning, burning])
    while ((await attachments.removeEndedCopies(T0 + MINUTE, 10)) > 0);
    expect(await attachments.listEnded(T0 + MINUTE, 100)).toEqual([])
    expect(await attachments.listBySecret(kept.id, T0 + MINUTE)).toHaveLength(1)
    await attachments.endUnused(T0 + MINUTE)
    expect(await attachments.sumBytes()).toBe(100)
    await secrets.burn({ id: kept.id, now: T0 + MINUTE })
    expect(await attachments.listEnded(T0 + MINUTE, 100)).toHaveLength(1)
    const removed = await race(3, () => attachments.remove([upload.blob]))
    expect(removed.reduce((sum, rows) => sum + rows, 0)).toBe(1)
    expect(await attachments.sumBytes()).toBe(0)
  })

  test('an upload with a copy no longer reserves bytes of its API token', async () => {
    const ofToken = { reservedFor: '0a1b2c3d', uploader: aHash(), size: 100 }
    const limits = { ...NO_LIMITS, tokenBytes: 150 }
    const upload = await completeUpload(ofToken)
    expect(await attachments.reserve(anUpload(ofToken), limits, T0)).toEqual({ limit: 'token' })
    await attach(upload)
    expect(await attachments.reserve(anUpload(ofToken), limits, T0)).toBeNull()
  })
}
