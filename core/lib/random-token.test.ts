import { expect, test } from 'vitest'
import { createUploadToken } from '../attachments/upload-token.js'
import { createTokenText, formatToken } from '../auth/api-token-format.js'
import { createUnsubscribeToken } from '../notifications/unsubscribe-token.js'
import { createReceipt } from '../secrets/receipts.js'
import { encryptRaw } from '../secrets/server-encrypted.js'
import { newLinkKey } from '../shared/crypto/keys.js'
import { newRequestKey } from '../shared/crypto/request-keys.js'
import { createRequestKeys } from '../shared/crypto/submission.js'
import { formatFragment } from '../shared/link.js'
import { formatCollectFragment, formatRequestFragment } from '../shared/request-link.js'
import { drawSafeEnds, hasSafeEnds } from '../shared/safe-ends.js'
import { newId, randomToken } from './random-token.js'

test.each(['a', '0', 'aZ', 'a-_-9', '1é0'])('%j has safe ends', (text) => expect(hasSafeEnds(text)).toBe(true))

test.each(['', '-', '-a', 'a-', '_a', 'a_', 'a.', 'é', 'aé'])('%j does not have safe ends', (text) => {
  expect(hasSafeEnds(text)).toBe(false)
})

test('values are drawn until one has safe ends', () => {
  const values = ['-a', 'a_', 'b', 'c']
  expect(
    drawSafeEnds(
      () => values.shift() ?? '',
      (text) => text,
    ),
  ).toBe('b')
  expect(values).toEqual(['c'])
})

/** One generated text of each kind that a URL or a command ends with. */
const KEY = Buffer.alloc(32, 7)
const KINDS: Record<string, () => string> = {
  'id of a secret, request, submission, file or user': newId,
  'burn token, session token, setup code or token of a link in an e-mail': () => randomToken(32),
  'receipt link': () => createReceipt('https://example.com').link.replace(/^.*#/, ''),
  'upload token': () => createUploadToken(null).token,
  'upload token of a request': () => createUploadToken('AAECAwQFBgcICQoLDA0ODw').token,
  'API token': () => formatToken(createTokenText()),
  'unsubscribe token': () => createUnsubscribeToken(KEY, newId()),
  'fragment of a secret link': () => formatFragment(newLinkKey()),
  'fragment of a collect link': () => formatCollectFragment(newRequestKey()),
}

test('CRY-15: 20,000 generated links and ids begin and end with a letter or a digit', () => {
  const kinds = Object.entries(KINDS)
  for (let drawn = 0; drawn < 20_000; drawn++) {
    const [kind, draw] = kinds[drawn % kinds.length] as [string, () => string]
    const text = draw()
    if (!hasSafeEnds(text)) expect.fail(`${kind}: ${text}`)
  }
})

// Each one computes a key pair or encrypts, so there are fewer. One in 32 would fail by chance.
test('CRY-15: 150 request links and keys of raw ids end with a letter or a digit', async () => {
  for (let drawn = 0; drawn < 150; drawn++) {
    const { keys, requestKey, fingerprint } = await createRequestKeys(null)
    const request = formatRequestFragment({ shareSecret: keys.shareSecret, fingerprint })
    const { key } = await encryptRaw({ text: 'é', files: [], ttl: 60 }, 1)
    for (const text of [request, formatCollectFragment(requestKey), key]) expect(text).toSatisfy(hasSafeEnds)
  }
})
