/** Checks the test vectors of secret requests. Runs in Node.js and in browsers. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { ViewedSecret } from '#shared/api'
import { armorText } from '#shared/crypto/age'
import { encryptTo } from '#shared/crypto/age-recipient'
import { encodeText, packEnvelope } from '#shared/crypto/envelope'
import { deriveShareKeys } from '#shared/crypto/request-keys'
import { decryptNote } from '#shared/crypto/request-note'
import {
  assertRecipient,
  createRequestKeys,
  decryptSubmission,
  encryptSubmission,
  submissionTag,
} from '#shared/crypto/submission'
import { parseCollectLink, parseRequestLink } from '#shared/parse-links'
import { formatCollectLink, formatRequestLink } from '#shared/request-link'

export type RequestVector = Record<
  | 'R_hex'
  | 'T_hex'
  | 'identity'
  | 'recipient_sha256_hex'
  | 'fingerprint_hex'
  | 'submit_proof'
  | 'note_passphrase'
  | 'collect_proof'
  | 'authentic_key_hex'
  | 'tag_request_id'
  | 'tag_envelope_utf8'
  | 'tag'
  | 'share_fragment'
  | 'collect_fragment',
  string
> & { recipient_length: number }

const BASE = 'https://secrets.example.org'
const ID = 'AAECAwQFBgcICQoLDA0ODw'
const OTHER_ID = 'EAECAwQFBgcICQoLDA0ODw'
const NOW = 3_000_000_000_000
const TEXT = 'Schlüssel ☃ 鍵 🗝'

/** Returns the expected values that our code does not compute, and the promises that it breaks. Empty: all is right. */
export async function tryRequestVectors({ vectors }: { vectors: RequestVector[] }): Promise<string[]> {
  const wrong: string[] = []
  for (const [index, vector] of vectors.entries()) {
    const expectEqual = (name: string, actual: unknown, expected: unknown) => {
      if (actual !== expected) wrong.push(`${index} ${name}: ${actual} instead of ${expected}`)
    }
    await tryKeys(vector, expectEqual)
    await trySubmission(vector, expectEqual)
  }
  return wrong
}

type ExpectEqual = (name: string, actual: unknown, expected: unknown) => void

async function tryKeys(vector: RequestVector, expectEqual: ExpectEqual): Promise<void> {
  const { keys, fingerprint, body } = await createRequestKeys(null, hexToBytes(vector.R_hex))
  expectEqual('T', bytesToHex(keys.shareSecret), vector.T_hex)
  expectEqual('identity', keys.identity, vector.identity)
  expectEqual('recipient', bytesToHex(sha256(encodeText(body.recipient))), vector.recipient_sha256_hex)
  expectEqual('length of the recipient', body.recipient.length, vector.recipient_length)
  expectEqual('fingerprint', bytesToHex(fingerprint), vector.fingerprint_hex)
  expectEqual('submit proof', deriveShareKeys(hexToBytes(vector.T_hex)).submitProof, vector.submit_proof)
  expectEqual('note passphrase', keys.notePassphrase, vector.note_passphrase)
  expectEqual('authentic key', bytesToHex(keys.authenticKey), vector.authentic_key_hex)
  const authenticKey = deriveShareKeys(hexToBytes(vector.T_hex)).authenticKey
  const tag = submissionTag(authenticKey, vector.tag_request_id, encodeText(vector.tag_envelope_utf8))
  expectEqual('tag', tag, vector.tag)
  expectEqual('collect proof', keys.collectProof, vector.collect_proof)
  const requestLink = `${BASE}/request/${ID}#${vector.share_fragment}`
  const collectLink = `${BASE}/collect/${ID}#${vector.collect_fragment}`
  const place = { base: BASE, id: ID }
  expectEqual('request link', formatRequestLink({ ...place, shareSecret: keys.shareSecret, fingerprint }), requestLink)
  expectEqual('collect link', formatCollectLink({ ...place, requestKey: hexToBytes(vector.R_hex) }), collectLink)
  const parsed = parseRequestLink(requestLink)
  expectEqual('parsed share secret', bytesToHex(parsed.shareSecret), vector.T_hex)
  expectEqual('parsed fingerprint', bytesToHex(parsed.fingerprint), vector.fingerprint_hex)
  expectEqual('parsed request key', bytesToHex(parseCollectLink(collectLink).requestKey), vector.R_hex)
}

async function trySubmission(vector: RequestVector, expectEqual: ExpectEqual): Promise<void> {
  const note = { title: 'Zugang ☃', instructions: `Bitte\nsenden\u202e!` }
  const { keys, fingerprint, body } = await createRequestKeys(note, hexToBytes(vector.R_hex))
  const read = await decryptNote(body.note ?? '', deriveShareKeys(keys.shareSecret).notePassphrase)
  expectEqual('note', `${read.title}|${read.instructions}`, 'Zugang ☃|Bitte\nsenden!')
  assertRecipient(body, fingerprint)
  const { authenticKey } = keys
  const draft = { requestId: ID, authenticKey, text: encodeText(TEXT), expiresAt: NOW + 60_000 }
  const { text } = await encryptSubmission(draft, body.recipient, NOW)
  const open = (requestId: string, sealed: string) => decryptSubmission(viewOf(sealed), { ...keys, requestId }, 10_000)
  const opened = await open(ID, text)
  expectEqual('text', new TextDecoder().decode(opened.text), TEXT)
  expectEqual('warnings', opened.warnings.join(), '')
  expectEqual('another request', await problemOf(open(OTHER_ID, text)), 'forged')
  const header = { title: '', created: NOW, ttl: 60, maxViews: 1, preventBurn: false, hasPassword: false, files: [] }
  const envelope = packEnvelope(header, encodeText(TEXT))
  const sealWith = async (tag: string) => {
    return armorText(await encryptTo(encodeText(tag + new TextDecoder().decode(envelope)), body.recipient))
  }
  const right = submissionTag(authenticKey, ID, envelope)
  expectEqual('no request', await problemOf(open(ID, await sealWith(`${right}\n`))), 'hostile')
  const wrong = submissionTag(new Uint8Array(32), ID, envelope)
  for (const tag of ['', '\n', `${wrong}\n`, `${right}`, `${right.slice(0, -1)}\n`, ` ${right}\n`, `${right}=\n`])
    expectEqual(`the tag ${tag}`, await problemOf(open(ID, await sealWith(tag))), 'forged')
  const another = { ...header, request: OTHER_ID }
  const moved = packEnvelope(another, encodeText(TEXT))
  const tagged = concatBytes(encodeText(`${submissionTag(authenticKey, ID, moved)}\n`), moved)
  expectEqual(
    'the name of another request',
    await problemOf(open(ID, armorText(await encryptTo(tagged, body.recipient)))),
    'request',
  )
  const foreign = await createRequestKeys(null)
  expectEqual('another recipient', await problemOf(async () => assertRecipient(foreign.body, fingerprint)), 'recipient')
}

export function viewOf(text: string): ViewedSecret {
  const flags = { preventBurn: false, isPublic: false }
  return { id: ID, kind: 'sealed', text, title: null, files: [], maxViews: 0, expiresAt: NOW + 60_000, ...flags }
}

/** The field `problem` of the error, or `none`. */
async function problemOf(work: Promise<unknown> | (() => Promise<unknown>)): Promise<unknown> {
  try {
    await (typeof work === 'function' ? work() : work)
    return 'none'
  } catch (error) {
    return (error as { problem?: unknown }).problem ?? error
  }
}
