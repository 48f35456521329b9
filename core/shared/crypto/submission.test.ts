import { readFileSync } from 'node:fs'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { Encrypter } from 'age-encryption'
import { describe, expect, test } from 'vitest'
import { tryRequestVectors, viewOf } from '#test/request-vectors'
import { isRecipient } from '../recipient.js'
import { armorText, encrypt } from './age.js'
import { decryptWith, encryptTo } from './age-recipient.js'
import { decryptNote, encryptNote } from './request-note.js'
import { createRequestKeys, decryptSubmission, encryptSubmission } from './submission.js'

const ID = 'AAECAwQFBgcICQoLDA0ODw'
const NOW = 3_000_000_000_000
const TEXT = utf8ToBytes('ein Schlüssel ☃ 🗝\n')
const PASSPHRASE = 'zQEjeOPmVxsHb-0Mn5ioGHfJl0vqsJqsbiQKEjK-24A'

test('CRY-12, CRY-19: every vector of the protocol passes', async () => {
  const file = JSON.parse(readFileSync(new URL('../request-vectors.json', import.meta.url), 'utf8'))
  expect(file.vectors).toHaveLength(3)
  expect(await tryRequestVectors(file)).toEqual([])
})

describe('a recipient', () => {
  test('only a hybrid recipient with a valid checksum is accepted', async () => {
    const { body } = await createRequestKeys(null)
    const { recipient } = body
    const swapped = recipient.endsWith('q') ? 'p' : 'q'
    expect(isRecipient(recipient)).toBe(true)
    for (const wrong of [
      '',
      'age1pq1',
      recipient.slice(0, -1),
      `${recipient}q`,
      recipient.slice(0, -1) + swapped,
      recipient.toUpperCase(),
      recipient.replace('age1pq1', 'age1tx1'),
      'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
      'é'.repeat(1959),
    ]) {
      expect(isRecipient(wrong), wrong.slice(0, 20)).toBe(false)
      await expect(encryptTo(TEXT, wrong)).rejects.toThrow(RangeError)
    }
  })
})

describe('hostile submissions are rejected before any work', () => {
  const hybrid = `-> mlkem768x25519 ${'A'.repeat(1494)}\n${'A'.repeat(43)}\n`
  const header = (stanzas: string) => utf8ToBytes(`age-encryption.org/v1\n${stanzas}--- ${'A'.repeat(43)}\n`)
  const twoRecipients = async () => {
    const encrypter = new Encrypter()
    for (let n = 0; n < 2; n++) encrypter.addRecipient((await createRequestKeys(null)).body.recipient)
    return encrypter.encrypt(TEXT)
  }
  const files: [string, () => Uint8Array | Promise<Uint8Array>][] = [
    ['a scrypt stanza', () => encrypt(TEXT, PASSPHRASE)],
    ['a scrypt stanza with work factor 20', () => header(`-> scrypt ${'A'.repeat(22)} 20\n${'A'.repeat(43)}\n`)],
    ['an X25519 stanza', () => header(`-> X25519 ${'A'.repeat(43)}\n${'A'.repeat(43)}\n`)],
    ['two hybrid stanzas', twoRecipients],
    ['a hybrid stanza and another stanza', () => header(`${hybrid}-> X25519 ${'A'.repeat(43)}\n${'A'.repeat(43)}\n`)],
    ['a million stanzas', () => header(hybrid.repeat(10_000))],
    ['an endless header', () => new Uint8Array(64 * 2 ** 20).fill(0x41)],
    ['nothing', () => new Uint8Array()],
  ]
  test.each(files)('%s', async (_, make) => {
    const { keys } = await createRequestKeys(null)
    await expect(decryptWith(await make(), keys.identity)).rejects.toMatchObject({ problem: 'hostile' })
  })

  test('a submission for another recipient gives a clear error', async () => {
    const [mine, other] = [await createRequestKeys(null), await createRequestKeys(null)]
    const { text } = await encryptSubmission(
      { ...mine.keys, requestId: ID, text: TEXT, expiresAt: NOW },
      other.body.recipient,
      NOW,
    )
    const opening = decryptSubmission(viewOf(text), { ...mine.keys, requestId: ID }, 10_000)
    await expect(opening).rejects.toMatchObject({ problem: 'wrong-key' })
  })

  test('a submission larger than the server allows is not decoded', async () => {
    const { keys } = await createRequestKeys(null)
    const opening = decryptSubmission(viewOf('A'.repeat(200_000)), { ...keys, requestId: ID }, 100)
    await expect(opening).rejects.toMatchObject({ problem: 'too-large' })
  })

  test('decryptWith rejects a changed byte', async () => {
    const { keys, body } = await createRequestKeys(null)
    const file = await encryptTo(TEXT, body.recipient)
    for (let at = 0; at < file.length; at += 97) {
      const changed = file.slice()
      changed[at] = (changed[at] as number) ^ 1
      await expect(decryptWith(changed, keys.identity), `byte ${at}`).rejects.toMatchObject({ name: 'DecryptError' })
    }
  })
})

test('options that the server changed give warnings', async () => {
  const { keys, body } = await createRequestKeys(null)
  const draft = { ...keys, requestId: ID, text: TEXT, expiresAt: NOW + 60_000 }
  const { text } = await encryptSubmission(draft, body.recipient, NOW)
  const changed = { ...viewOf(text), expiresAt: NOW + 3_600_000, maxViews: 5 }
  const { warnings } = await decryptSubmission(changed, { ...keys, requestId: ID }, 10_000)
  expect(warnings).toEqual(['expiry', 'views'])
})

describe('a note', () => {
  test('a note that is too long is refused before it is sent', async () => {
    const tooLong = encryptNote({ title: 'é', instructions: 'x'.repeat(8000) }, PASSPHRASE)
    await expect(tooLong).rejects.toThrow('at most 8192 bytes')
    await expect(encryptNote({ title: 'x'.repeat(256), instructions: '' }, PASSPHRASE)).rejects.toThrow('title')
  })

  test.each(['[]', '{"v":2,"title":"é","instructions":""}', '{"v":1,"title":5,"instructions":""}', 'null', '\xff'])(
    'the note %j is rejected',
    async (text) => {
      const note = armorText(await encrypt(utf8ToBytes(text), PASSPHRASE))
      await expect(decryptNote(note, PASSPHRASE)).rejects.toMatchObject({ problem: 'hostile' })
    },
  )
})
