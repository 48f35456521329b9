/**
 * Raw secrets: encrypted by the server with the code of the clients. The key is part of the id and is not stored.
 */
import { base64urlnopad } from '@scure/base'
import type { InlineFile } from '../attachments/bind-uploads.js'
import type { Secret } from '../contracts/storage.js'
import type { ViewedSecret } from '../shared/api/index.js'
import { decryptSecret, encryptSecret } from '../shared/crypto/encrypt-secret.js'
import { decodeText, encodeText } from '../shared/crypto/envelope.js'
import { digestOfParts, hashPart } from '../shared/crypto/file-digest.js'
import { deriveKeys, newLinkKey, rawFileKey } from '../shared/crypto/keys.js'
import { encryptPart } from '../shared/crypto/parts.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { drawSafeEnds } from '../shared/safe-ends.js'

/** Plaintext of a raw secret. */
export interface RawDraft {
  text: string
  title?: string | undefined
  files: InlineFile[]
  /** Seconds. */
  ttl: number
}

export interface EncryptedRaw {
  /** 32 bytes, base64url: the second half of the id. Never stored. */
  key: string
  /** Armored age file with text, title and file names. */
  text: string
  /** Access proof, derived from the key. */
  access: string
  /** The files, encrypted and without their names. */
  files: InlineFile[]
}

/** Encrypts a text, its title and its files. */
export async function encryptRaw({ text, title = '', files, ttl }: RawDraft, now: EpochMs): Promise<EncryptedRaw> {
  const linkKey = drawSafeEnds(newLinkKey, base64urlnopad.encode)
  const describe = async ({ id, name, type, bytes }: InlineFile) => ({
    id,
    name: name ?? '',
    type: type ?? '',
    size: bytes.length,
    token: '',
    key: base64urlnopad.encode(rawFileKey(linkKey, id)),
    digest: digestOfParts([await hashPart(bytes)]),
  })
  const described = await Promise.all(files.map(describe))
  const { body } = await encryptSecret({ text: encodeText(text), title, files: described, ttl }, now, linkKey)
  const sealed = files.map(async ({ id, bytes }) => {
    return { id, name: null, type: null, bytes: await encryptPart(rawFileKey(linkKey, id), 0, bytes) }
  })
  return {
    key: base64urlnopad.encode(linkKey),
    text: body.text,
    access: body.access as string,
    files: await Promise.all(sealed),
  }
}

/** Decrypts a viewed raw secret. Throws DecryptError when the stored text was tampered with. */
export async function decryptRaw(
  { text: sealed }: Secret,
  key: string,
  tickets: ViewedSecret['files'],
): Promise<Pick<ViewedSecret, 'text' | 'title' | 'files'>> {
  const { passphrase } = await deriveKeys(base64urlnopad.decode(key))
  const { header, text } = await decryptSecret(sealed, passphrase, Number.POSITIVE_INFINITY)
  const files = header.files.flatMap(({ id, name, type, size }) => {
    const ticket = tickets.find((each) => each.id === id)
    return ticket ? [{ ...ticket, name, type, size }] : []
  })
  return { text: decodeText(text) ?? '', title: header.title || null, files }
}
