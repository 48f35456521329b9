import { expect, test } from 'vitest'
import type { RecipientView, Secret, Storage } from '../../contracts/storage.js'
import { PASSWORD_ATTEMPTS } from '../../shared/limits.js'
import { aHash, anEvent, aSecret, MINUTE, T0 } from '../lib/fixtures.js'
import { createSecret } from '../lib/stored-fixtures.js'
import { count, race } from './race.js'

const LOCK = 15 * MINUTE
const isCounted = (result: RecipientView | null) => result?.outcome === 'viewed' && result.secret.counted

export function namedRecipientContract({ secrets, namedRecipients, receipts }: Storage): void {
  /** A secret with `recipients` named recipients. */
  async function open(recipients: number, differing: Partial<Secret> = {}) {
    const addressHashes = Array.from({ length: recipients }, aHash)
    const secret = aSecret({ recipients, maxViews: recipients, ...differing })
    await secrets.create({ secret, now: T0, addressHashes })
    const { id } = secret
    const mail = async (number: number, expiresAt = T0 + 10 * MINUTE) => {
      const codeHash = aHash()
      expect(await namedRecipients.setCode({ secretId: id, number, codeHash, expiresAt })).toBe(true)
      return codeHash
    }
    const view = (codeHash: string | null, more: object = {}) =>
      namedRecipients.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE, lockMs: LOCK, codeHash, ...more })
    return { id, secret, secrets, namedRecipients, receipts, addressHashes, mail, view }
  }

  test('create stores the recipients by number, and they end with their secret', async () => {
    const { id, secrets, namedRecipients, addressHashes } = await open(3)
    expect(await secrets.peek(id, T0)).toMatchObject({ recipients: 3 })
    expect(await namedRecipients.list(id)).toEqual(
      addressHashes.map((addressHash, index) => ({ number: index + 1, addressHash, views: 0 })),
    )
    await secrets.burn({ id, now: T0 })
    expect(await namedRecipients.list(id)).toEqual([])
    expect(await namedRecipients.setCode({ secretId: id, number: 1, codeHash: aHash(), expiresAt: T0 })).toBe(false)
    const plain = await createSecret(secrets)
    expect(await secrets.peek(plain.id, T0)).not.toHaveProperty('recipients')
  })

  test('SecretStore.view refuses a secret with named recipients, before its first view and after it', async () => {
    const { id, secrets, mail, view } = await open(2)
    const attempt = () => secrets.view({ id, claimHash: aHash(), now: T0, graceMs: MINUTE })
    expect(await attempt()).toBeNull()
    expect(isCounted(await view(await mail(1)))).toBe(true)
    expect(await attempt()).toBeNull()
    expect(await secrets.peek(id, T0)).toMatchObject({ views: 1 })
  })

  test('a code counts one view, names the recipient, and its claim repeats the view without a code', async () => {
    const { id, secret, secrets, receipts, mail, view } = await open(2, { receiptHash: aHash() })
    const claimHash = aHash()
    const code = await mail(2)
    const told: (number | null)[] = []
    const toEvents = (_: unknown, recipient: number | null) => {
      told.push(recipient)
      return [anEvent()]
    }
    expect(await view(code, { claimHash, toEvents })).toMatchObject({
      outcome: 'viewed',
      secret: { id, text: secret.text, views: 1, counted: true, recipient: 2 },
    })
    const again = await view(null, { claimHash, toEvents })
    expect(again).toMatchObject({ outcome: 'viewed', secret: { text: secret.text, counted: false } })
    expect(await view(code)).toMatchObject({ outcome: 'code-wrong' })
    expect(told).toEqual([2])
    expect(await receipts.find(secret.receiptHash as string)).toMatchObject({
      views: 1,
      wrongPasswords: 1,
      viewList: [{ at: T0, recipient: 2 }],
    })
    await secrets.ack(id, claimHash, T0)
    expect(await view(null, { claimHash })).toMatchObject({ outcome: 'code-missing' })
  })

  test('wrong, expired and replaced codes count as wrong passwords; a missing code and a caller without the link do not', async () => {
    const { id, secrets, mail, view } = await open(1, { expiresAt: T0 + 100 * MINUTE })
    const expired = await mail(1, T0)
    expect(await view(expired)).toEqual({
      outcome: 'code-wrong',
      attempts: { counted: true, attemptsLeft: PASSWORD_ATTEMPTS - 1, lockedUntil: 0 },
    })
    const replaced = await mail(1)
    const code = await mail(1)
    expect(await view(replaced)).toMatchObject({ attempts: { attemptsLeft: PASSWORD_ATTEMPTS - 2 } })
    expect(await view(null)).toEqual({ outcome: 'code-missing', attemptsLeft: PASSWORD_ATTEMPTS - 2 })
    expect(await view(aHash(), { authorize: () => false })).toBeNull()
    expect(await view(code, { authorize: () => false })).toBeNull()
    expect(await secrets.peek(id, T0)).toMatchObject({ failures: 2, views: 0 })
    for (let left = PASSWORD_ATTEMPTS - 3; left > 0; left--)
      expect(await view(aHash())).toMatchObject({ attempts: { attemptsLeft: left } })
    expect(await view(aHash())).toEqual({
      outcome: 'code-wrong',
      attempts: { counted: true, attemptsLeft: 0, lockedUntil: T0 + LOCK },
    })
    expect(await view(code)).toBeNull()
    const later = { now: T0 + LOCK }
    expect(isCounted(await view(await mail(1, T0 + 2 * LOCK), later))).toBe(true)
  })

  test('views that other recipients have not used are reserved for them', async () => {
    const { mail, view } = await open(2)
    expect(isCounted(await view(await mail(1)))).toBe(true)
    const second = await mail(1)
    expect(await view(second)).toBeNull()
    expect(isCounted(await view(await mail(2)))).toBe(true)
    expect(await view(second)).toBeNull()
    const spare = await open(2, { maxViews: 3 })
    expect(isCounted(await spare.view(await spare.mail(1)))).toBe(true)
    expect(isCounted(await spare.view(await spare.mail(1)))).toBe(true)
    expect(await spare.view(await spare.mail(1))).toBeNull()
    expect(isCounted(await spare.view(await spare.mail(2)))).toBe(true)
  })

  test('REL-01: of two recipients who race for one view, one gets it', async () => {
    for (let round = 0; round < 10; round++) {
      const { mail, view } = await open(2, { maxViews: 1 })
      const codes = [await mail(1), await mail(2)]
      const results = await race(4, (racer) => view(codes[racer % 2] as string))
      expect(count(results, isCounted)).toBe(1)
    }
  })

  test('REL-01: a code counts one view, however many callers race', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, secrets, mail, view } = await open(1, { maxViews: 9 })
      const code = await mail(1)
      const results = await race(6, () => view(code))
      expect(count(results, isCounted)).toBe(1)
      expect(await secrets.peek(id, T0)).toMatchObject({ views: 1 })
    }
  })

  test('of many wrong codes at once, ten are checked', async () => {
    const { view } = await open(1)
    const results = await race(15, () => view(aHash()))
    expect(count(results, (result) => result?.outcome === 'code-wrong')).toBe(PASSWORD_ATTEMPTS)
    expect(count(results, (result) => result === null)).toBe(15 - PASSWORD_ATTEMPTS)
  })
}
