/** Raw secrets: sealed by the server with the clients' own code, under a key that it hands out inside the id and forgets. */
import { base64urlnopad } from '@scure/base'
import type { Secret } from '../contracts/storage.js'
import { decodeText, encodeText } from '../shared/envelope.js'
import { deriveKeys } from '../shared/keys.js'
import { parseFragment } from '../shared/link.js'
import { open, seal } from '../shared/sealing.js'

export interface RawSealed {
  /** 32 bytes, base64url: the second half of the id. Kept nowhere. */
  key: string
  /** Armoured age file with text and title. */
  text: string
  /** The access proof that the key gives. */
  access: string
}

/** Seals a text and its title. `ttl` in seconds, `now` in epoch ms. */
export async function sealRaw(text: string, title: string | undefined, ttl: number, now: number): Promise<RawSealed> {
  const { fragment, body } = await seal({ text: encodeText(text), ttl, ...(title ? { title } : {}) }, now)
  const key = base64urlnopad.encode(parseFragment(fragment))
  return { key, text: body.text, access: body.access as string }
}

/** Opens it again. Throws SealError when the stored file was changed. */
export async function openRaw(secret: Secret, key: string): Promise<{ text: string; title: string | null }> {
  const { passphrase } = await deriveKeys(base64urlnopad.decode(key))
  const { header, text } = await open(secret.text, passphrase, Number.POSITIVE_INFINITY)
  return { text: decodeText(text) ?? '', title: header.title || null }
}
