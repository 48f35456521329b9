/** Ciphertexts that a client decrypts, and their content: all of it may come from an attacker. */
import { DecryptError, decrypt, unarmorText } from '#shared/crypto/age'
import { decryptWith } from '#shared/crypto/age-recipient'
import { encryptedPartLength } from '#shared/crypto/encrypted-sizes'
import { packEnvelope, paddedLength, unpackEnvelope } from '#shared/crypto/envelope'
import { decryptPart } from '#shared/crypto/parts'
import { deriveCollectKeys } from '#shared/crypto/request-keys'
import { safeFileName } from '#shared/file-name'
import { FILE_NAME_MAX, FILES_MAX, TITLE_MAX } from '#shared/limits'
import { assert, attempt, attemptSync, type FuzzTarget, toBinary } from '../target.js'

const isDecryptError = (error: unknown) => error instanceof DecryptError
const PASSPHRASE = 'a'.repeat(43)
const FILE_KEY = new Uint8Array(32)
const { identity: IDENTITY } = deriveCollectKeys(new Uint8Array(32))
const AGE_TOKENS = [
  'age-encryption.org/v1\n',
  '-> scrypt AAAAAAAAAAAAAAAAAAAAAA 1\n',
  '-> scrypt AAAAAAAAAAAAAAAAAAAAAA 18\n',
  '-> X25519 ',
  '-> mlkem768x25519 ',
  `${'A'.repeat(43)}\n`,
  `--- ${'A'.repeat(43)}\n`,
  '-----BEGIN AGE ENCRYPTED FILE-----\n',
  '-----END AGE ENCRYPTED FILE-----\n',
]

export const envelope: FuzzTarget = {
  tokens: [
    '{"v":1,"title":"☃","created":1,"ttl":60,"maxViews":1,"preventBurn":false,"hasPassword":false,"files":[],"pad":""}\n',
    '"files":[{"id":"AAAAAAAAAAAAAAAAAAAAAA","name":"a.txt","type":"text/plain","size":1,"key":"',
    `${'A'.repeat(43)}","digest":"${'0'.repeat(64)}"}]`,
    '"maxViews":null',
    '"__proto__":',
    '1e999',
    '-1',
    '\\ud800',
    '../',
    'CON.txt',
    '\n',
  ],
  run(bytes) {
    const found = attemptSync(() => unpackEnvelope(bytes), isDecryptError)
    if (!found) return
    const { header, text } = found
    assert(header.title.length <= TITLE_MAX && header.files.length <= FILES_MAX, 'title and list of files are bounded')
    for (const { name, type } of header.files) {
      assert(name.length <= 1024 && type.length <= FILE_NAME_MAX, 'names and types are bounded')
      const saved = safeFileName(name)
      assert(saved !== '' && !/^\.{1,2}$|[/\\\0]|^-/.test(saved) && saved.length <= FILE_NAME_MAX, `unsafe: ${saved}`)
    }
    const packed = packEnvelope(header, text)
    const again = unpackEnvelope(packed)
    assert(JSON.stringify(again.header) === JSON.stringify(header), 'a packed header is the same')
    assert(Buffer.compare(again.text, text) === 0, 'a packed text is the same')
    assert(packed.length === paddedLength(packed.length), 'a packed envelope is padded')
  },
}

export const age: FuzzTarget = {
  tokens: AGE_TOKENS,
  async run(bytes) {
    await attempt(() => decrypt(bytes, PASSPHRASE), isDecryptError)
    await attempt(() => decryptWith(bytes, IDENTITY), isDecryptError)
    attemptSync(() => unarmorText(toBinary(bytes), 4096), isDecryptError)
  },
}

export const parts: FuzzTarget = {
  tokens: AGE_TOKENS,
  /** The first byte is the length, so that most inputs have the right one. */
  async run(bytes) {
    const length = bytes[0] ?? 0
    const sealed = bytes.subarray(1)
    const isRightLength = sealed.length === encryptedPartLength(length)
    const plain = await attempt(() => decryptPart(FILE_KEY, 0, sealed, length), isDecryptError)
    if (plain) assert(isRightLength && plain.length === length, 'a decrypted part has its length')
    const padded = Buffer.alloc(encryptedPartLength(length))
    padded.set(sealed.subarray(0, padded.length))
    const other = await attempt(() => decryptPart(FILE_KEY, 0, padded, length), isDecryptError)
    if (other) assert(other.length === length, 'a decrypted part has its length')
  },
}
