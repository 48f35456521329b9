/**
 * Client side of secret requests: encrypts a submission for the recipient of a request, and decrypts it with the
 * collect link. Loads post-quantum cryptography, see age-recipient.ts.
 */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import type { CreateRequest, CreateSubmission, OpenedRequest, ViewedSecret } from '../api/index.js'
import type { EpochMs } from '../epoch-ms.js'
import { hmac, sha256 } from '../portable-hashes.js'
import { formatRequestFragment } from '../request-link.js'
import { hasSafeEnds } from '../safe-ends.js'
import { armorText, DecryptError, unarmorText } from './age.js'
import { decryptWith, encryptTo, toRecipient } from './age-recipient.js'
import { type DecryptedSecret, type DraftFile, findTampering } from './encrypt-secret.js'
import { submissionLengthMax } from './encrypted-sizes.js'
import { type EnvelopeHeader, packEnvelope, unpackEnvelope } from './envelope.js'
import {
  type CollectKeys,
  deriveCollectKeys,
  isFingerprintOf,
  newRequestKey,
  recipientFingerprint,
} from './request-keys.js'
import { encryptNote, type RequestNote } from './request-note.js'

/** The header of a submission names its request, so that the server cannot return it for another request. */
interface SubmissionHeader extends EnvelopeHeader {
  request: string
}

/**
 * `recipient`: the server returned another recipient than the link names. `request`: a submission of another request.
 * `forged`: a submission that was not made with the request link.
 */
export type RequestTampering = 'recipient' | 'request' | 'forged'

export class RequestTamperedError extends Error {
  override name = 'RequestTamperedError'
  constructor(readonly problem: RequestTampering) {
    super(TAMPERINGS[problem])
  }
}

const TAMPERINGS: Record<RequestTampering, string> = {
  recipient: 'this request was tampered with',
  request: 'the server returned a submission of another request',
  forged: 'this submission was not made with your request link',
}

/** Input of the submitter. `text` is bytes, so that any content arrives unchanged. */
export interface SubmissionDraft {
  /** Of the request. */
  requestId: string
  /** See ShareKeys. */
  authenticKey: Uint8Array
  text: Uint8Array
  files?: DraftFile[]
  /** When the submission expires. */
  expiresAt: EpochMs
}

/** Keys of a new request, and the part of the body of `POST /request` that depends on them. */
export interface RequestKeys {
  keys: CollectKeys
  /** 32 bytes of the collect link. */
  requestKey: Uint8Array
  /** 16 bytes of the request link. */
  fingerprint: Uint8Array
  body: Pick<CreateRequest, 'recipient' | 'submit' | 'collect' | 'note'>
}

/**
 * Generates the keys of a request, and encrypts its note, unless it is empty. Without `requestKey`, generates a key
 * whose links have safe ends. Throws RangeError if the note is too long.
 */
export async function createRequestKeys(note: RequestNote | null, requestKey?: Uint8Array): Promise<RequestKeys> {
  const derived = requestKey ? await deriveRecipient(requestKey) : await drawRequestKey()
  const { keys } = derived
  return {
    keys,
    requestKey: derived.requestKey,
    fingerprint: derived.fingerprint,
    body: {
      recipient: derived.recipient,
      submit: keys.submitProof,
      collect: keys.collectProof,
      ...(note?.title || note?.instructions ? { note: await encryptNote(note, keys.notePassphrase) } : {}),
    },
  }
}

/**
 * The fingerprint in the request link depends on the recipient, so its end is known only after the key pair is
 * computed.
 */
async function drawRequestKey() {
  for (;;) {
    const derived = await deriveRecipient(newRequestKey())
    const { keys, fingerprint } = derived
    if (hasSafeEnds(formatRequestFragment({ shareSecret: keys.shareSecret, fingerprint }))) return derived
  }
}

async function deriveRecipient(requestKey: Uint8Array) {
  const keys = deriveCollectKeys(requestKey)
  const recipient = await toRecipient(keys.identity)
  return { requestKey, keys, recipient, fingerprint: recipientFingerprint(recipient) }
}

/** Throws RequestTamperedError unless the request link names `recipient`. Call it before encrypting anything. */
export function assertRecipient({ recipient }: Pick<OpenedRequest, 'recipient'>, fingerprint: Uint8Array): void {
  if (!isFingerprintOf(fingerprint, recipient)) throw new RequestTamperedError('recipient')
}

/** Part of the body of a submission, and its tag, which proves that a holder of the request link made it. */
interface SealedSubmission {
  body: Pick<CreateSubmission, 'text' | 'files'>
  tag: string
}

/** Encrypts a submission. Throws RangeError if `recipient` is not a hybrid recipient. */
export const encryptSubmission = async (
  draft: SubmissionDraft,
  recipient: string,
  now: EpochMs = Date.now(),
): Promise<SealedSubmission['body']> => (await sealSubmission(draft, recipient, now)).body

/** The same with its tag. */
export async function sealSubmission(
  { requestId, authenticKey, text, files = [], expiresAt }: SubmissionDraft,
  recipient: string,
  now: number = Date.now(),
): Promise<SealedSubmission> {
  const header: SubmissionHeader = {
    request: requestId,
    title: '',
    created: now,
    ttl: Math.ceil((expiresAt - now) / 1000),
    maxViews: 1,
    preventBurn: false,
    hasPassword: false,
    files: files.map(({ token, ...file }) => file),
  }
  const envelope = packEnvelope(header, text)
  const tag = submissionTag(authenticKey, requestId, envelope)
  const file = await encryptTo(concatBytes(utf8ToBytes(`${tag}\n`), envelope), recipient)
  return {
    body: {
      text: armorText(file),
      ...(files.length > 0 ? { files: files.map(({ id, token }) => ({ id, token })) } : {}),
    },
    tag,
  }
}

/**
 * Encryption to a public recipient is anonymous. The tag proves that a holder of the request link made this envelope
 * for this request.
 */
export const submissionTag = (authenticKey: Uint8Array, requestId: string, envelope: Uint8Array): string =>
  base64urlnopad.encode(hmac(sha256, authenticKey, concatBytes(utf8ToBytes(`${requestId}\n`), envelope)))

/** Length of the tag in front of the envelope, without its line break. */
const TAG_LENGTH = 43

/**
 * Decrypts the view of a submission, checks its tag, and compares its options with the submitter's choice. Throws
 * DecryptError `wrong-key`, `hostile` or `too-large`, and RequestTamperedError for a submission that was not made with
 * the request link, or for another request.
 */
export async function decryptSubmission(
  viewed: ViewedSecret,
  { identity, requestId, authenticKey }: { identity: string; requestId: string; authenticKey: Uint8Array },
  maxTextBytes: number,
): Promise<DecryptedSecret & { tag: string }> {
  const file = unarmorText(viewed.text, submissionLengthMax(maxTextBytes))
  const plaintext = await decryptWith(file, identity)
  const envelope = plaintext.subarray(TAG_LENGTH + 1)
  const tag = submissionTag(authenticKey, requestId, envelope)
  if (!isSameBytes(plaintext.subarray(0, TAG_LENGTH + 1), utf8ToBytes(`${tag}\n`)))
    throw new RequestTamperedError('forged')
  const { header, text } = unpackEnvelope(envelope)
  if (typeof (header as Partial<SubmissionHeader>).request !== 'string') {
    throw new DecryptError('hostile', 'this submission does not name its request')
  }
  if ((header as SubmissionHeader).request !== requestId) throw new RequestTamperedError('request')
  return { header, text, warnings: findTampering(header, viewed), tag }
}

/**
 * True for an error of `decryptSubmission` that a retry cannot fix: the submission was not made with the request link,
 * belongs to another request, or is not in our format.
 */
export const isDamaged = (error: unknown): boolean =>
  error instanceof RequestTamperedError || (error instanceof DecryptError && error.problem !== 'too-large')

/** Takes the same time for every content. */
const isSameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), 0) === 0
