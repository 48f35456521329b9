import { describe, expect, test } from 'vitest'
import type { ViewedSecret } from '../api/index.js'
import { attachedFiles } from '../client/viewed-content.js'
import { FILES_MAX } from '../limits.js'
import { parseFragment } from '../link.js'
import { type Draft, type DraftFile, decryptViewed, type EncryptedSecret, encryptSecret } from './encrypt-secret.js'
import { decodeText, encodeText } from './envelope.js'
import { deriveKeys } from './keys.js'
import { encryptedFileLength } from './parts.js'

const NOW = 1_790_000_000_000
const LIMIT = 2 ** 20
const draft: Draft = { text: encodeText('pässwörd ☃\n'), ttl: 3600, title: 'Tïtle' }
const files: DraftFile[] = [
  {
    id: 'AAECAwQFBgcICQoLDA0ODw',
    token: 't'.repeat(43),
    name: 'Übersicht.pdf',
    type: 'application/pdf',
    size: 9_000_000,
    key: 'k'.repeat(43),
    digest: '0'.repeat(64),
  },
]

/** The response of an honest server to the first view. */
const viewed = ({ body }: EncryptedSecret, change: Partial<ViewedSecret> = {}): ViewedSecret => ({
  id: 'AAECAwQFBgcICQoLDA0ODw',
  kind: 'sealed',
  text: body.text,
  title: null,
  files: [],
  maxViews: body.preventBurn ? null : (body.maxViews ?? 1) - 1,
  preventBurn: body.preventBurn ?? false,
  isPublic: false,
  expiresAt: NOW + body.ttl * 1000,
  ...change,
})
const keysOf = (sealed: EncryptedSecret, password?: string) => deriveKeys(parseFragment(sealed.fragment), password)

test('an encrypted secret is decrypted with the fragment', async () => {
  const sealed = await encryptSecret(draft, NOW)
  const opened = await decryptViewed(viewed(sealed), (await keysOf(sealed)).passphrase, LIMIT)
  expect(decodeText(opened.text)).toBe('pässwörd ☃\n')
  expect(opened.header).toMatchObject({ title: 'Tïtle', created: NOW, ttl: 3600, maxViews: 1, hasPassword: false })
  expect(opened.warnings).toEqual([])
})

/** Created once, because the password makes it slow. */
const withPassword = (async () => {
  const sealed = await encryptSecret({ ...draft, password: 'sésame' }, NOW)
  return { sealed, ...(await keysOf(sealed, 'sésame')) }
})()

test('a secret with a password is not decrypted with the fragment alone', async () => {
  const { sealed, passphrase, passwordProof } = await withPassword
  expect(sealed.body.password).toBe(passwordProof)
  await expect(decryptViewed(viewed(sealed), passphrase, LIMIT)).resolves.toMatchObject({
    header: { hasPassword: true },
  })
  const without = await keysOf(sealed)
  await expect(decryptViewed(viewed(sealed), without.passphrase, LIMIT)).rejects.toMatchObject({ problem: 'wrong-key' })
})

test('the request contains nothing that decrypts the secret', async () => {
  const { sealed, passphrase } = await withPassword
  const sent = JSON.stringify(sealed.body)
  for (const canary of [sealed.fragment, sealed.fragment.slice(1, 44), passphrase, 'pässwörd', 'Tïtle', 'sésame']) {
    expect(sent).not.toContain(canary)
  }
})

test('the request contains id and upload token of a file, the envelope the rest', async () => {
  const sealed = await encryptSecret({ ...draft, files }, NOW)
  const { token, ...inside } = files[0] as DraftFile
  expect(sealed.body.files).toEqual([{ id: inside.id, token }])
  expect(JSON.stringify(sealed.body)).not.toMatch(/Übersicht|pdf|9000000|kkkk/)
  const response = viewed(sealed, {
    files: [{ id: inside.id, size: encryptedFileLength(9_000_000), parts: 2, key: 'ticket' }],
  })
  const { header } = await decryptViewed(response, (await keysOf(sealed)).passphrase, LIMIT)
  expect(header.files).toEqual([inside])
  const [{ name, ticket, sealed: within } = {}] = attachedFiles(response, header)
  expect({ name, ticket, digest: within?.digest }).toEqual({
    name: 'Übersicht.pdf',
    ticket: 'ticket',
    digest: inside.digest,
  })
  expect(attachedFiles({ ...response, files: [] }, header)).toMatchObject([{ ticket: null }])
})

test('two encryptions of one text have nothing in common', async () => {
  const [one, two] = [await encryptSecret(draft, NOW), await encryptSecret(draft, NOW)]
  expect(one.fragment).not.toBe(two.fragment)
  expect(one.body.access).not.toBe(two.body.access)
  expect(one.body.text.slice(40, 200)).not.toBe(two.body.text.slice(40, 200))
})

describe('options changed by the server are reported', () => {
  const mismatches = async (change: Partial<ViewedSecret>, of: Draft = draft) => {
    const sealed = await encryptSecret(of, NOW)
    const { passphrase } = await keysOf(sealed)
    return (await decryptViewed(viewed(sealed, change), passphrase, LIMIT)).warnings
  }
  const HOUR = 3600_000

  test('CRY-04: a later expiry', async () => {
    expect(await mismatches({ expiresAt: NOW + HOUR + 11 * 60_000 })).toEqual(['expiry'])
    expect(await mismatches({ expiresAt: NOW + HOUR + 9 * 60_000 })).toEqual([])
    expect(await mismatches({ expiresAt: NOW + HOUR / 2 })).toEqual([])
  })
  test('CRY-04: more views', async () => {
    expect(await mismatches({ maxViews: 1 })).toEqual(['views'])
    expect(await mismatches({ maxViews: null })).toEqual(['views'])
    expect(await mismatches({ maxViews: 1 }, { ...draft, maxViews: 3 })).toEqual([])
    expect(await mismatches({ maxViews: null }, { ...draft, preventBurn: true })).toEqual([])
  })
  test('CRY-04: other files', async () => {
    const told = { id: files[0]?.id as string, size: encryptedFileLength(9_000_000), parts: 2, key: 'k' }
    expect(await mismatches({ files: [told] })).toEqual(['files'])
    const attached = { ...draft, files }
    expect(await mismatches({ files: [told] }, attached)).toEqual([])
    expect(await mismatches({ files: [] }, attached)).toEqual(['files'])
    expect(await mismatches({ files: [told, told] }, attached)).toEqual(['files'])
    expect(await mismatches({ files: [{ ...told, id: 'AQIDBAUGBwgJCgsMDQ4PEA' }] }, attached)).toEqual(['files'])
    expect(await mismatches({ files: [{ ...told, size: told.size + 1 }] }, attached)).toEqual(['files'])
    expect(await mismatches({ files: [{ ...told, parts: 3 }] }, attached)).toEqual(['files'])
  })
})

test('a text larger than the limit is rejected before decryption', async () => {
  const sealed = await encryptSecret({ ...draft, text: new Uint8Array(400_000) }, NOW)
  const { passphrase } = await keysOf(sealed)
  await expect(decryptViewed(viewed(sealed), passphrase, 100_000)).rejects.toMatchObject({ problem: 'too-large' })
  await expect(decryptViewed(viewed(sealed), passphrase, 400_000)).resolves.toBeDefined()
})

test('every text of the maximum size fits when encrypted', async () => {
  for (const size of [1024, 4096, 65_536, LIMIT]) {
    const many = Array.from({ length: FILES_MAX }, () => ({ ...(files[0] as DraftFile), name: 'n'.repeat(200) }))
    const sealed = await encryptSecret(
      { ...draft, title: 't'.repeat(255), text: new Uint8Array(size), files: many },
      NOW,
    )
    const { passphrase } = await keysOf(sealed)
    // The same file a hundred times is refused, but not for its size.
    await expect(decryptViewed(viewed(sealed), passphrase, size)).rejects.toMatchObject({ problem: 'hostile' })
  }
})
