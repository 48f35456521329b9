/**
 * Client side of secret requests: encrypts a submission for the recipient of a request, and decrypts it with the collect
 * link. Loads post-quantum cryptography, see age-recipient.ts.
 */
import type { CreateRequest, CreateSubmission, OpenedRequest, ViewedSecret } from '../api/index.js'
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

/** The header of a submission names its request, so that the server cannot pass it off as an answer to another one. */
interface SubmissionHeader extends EnvelopeHeader {
  request: string
}

/** `recipient`: the server returned another recipient than the one of the link. `request`: a submission of another request. */
export type RequestTampering = 'recipient' | 'request'

export class RequestTamperedError extends Error {
  override name = 'RequestTamperedError'
  constructor(readonly problem: RequestTampering) {
    super(TAMPERINGS[problem])
  }
}

const TAMPERINGS: Record<RequestTampering, string> = {
  recipient: 'this request was tampered with: the server returned another encryption key; nothing was encrypted',
  request: 'the server returned a submission of another request',
}

/** Input of the submitter. `text` is bytes, so that any content arrives unchanged. */
export interface SubmissionDraft {
  /** Of the request. */
  requestId: string
  text: Uint8Array
  files?: DraftFile[]
  /** Epoch ms: when the submission expires. */
  expiresAt: number
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

/** Generates the keys of a request, and encrypts its note. Throws RangeError if the note is too long. */
export async function createRequestKeys(
  note: RequestNote | null,
  requestKey: Uint8Array = newRequestKey(),
): Promise<RequestKeys> {
  const keys = deriveCollectKeys(requestKey)
  const recipient = await toRecipient(keys.identity)
  return {
    keys,
    requestKey,
    fingerprint: recipientFingerprint(recipient),
    body: {
      recipient,
      submit: keys.submitProof,
      collect: keys.collectProof,
      ...(note ? { note: await encryptNote(note, keys.notePassphrase) } : {}),
    },
  }
}

/** Throws RequestTamperedError unless `recipient` is the one that the request link names. Call it before encrypting anything. */
export function assertRecipient({ recipient }: Pick<OpenedRequest, 'recipient'>, fingerprint: Uint8Array): void {
  if (!isFingerprintOf(fingerprint, recipient)) throw new RequestTamperedError('recipient')
}

/** Encrypts a submission. `now`: epoch ms. Throws RangeError if `recipient` is not a hybrid recipient. */
export async function encryptSubmission(
  { requestId, text, files = [], expiresAt }: SubmissionDraft,
  recipient: string,
  now: number = Date.now(),
): Promise<Pick<CreateSubmission, 'text' | 'files'>> {
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
  const file = await encryptTo(packEnvelope(header, text), recipient)
  return {
    text: armorText(file),
    ...(files.length > 0 ? { files: files.map(({ id, token }) => ({ id, token })) } : {}),
  }
}

/**
 * Decrypts the view of a submission and compares its options with those that the submitter chose.
 * Throws DecryptError `wrong-key`, `hostile` or `too-large`, and RequestTamperedError for a submission of another request.
 */
export async function decryptSubmission(
  viewed: ViewedSecret,
  { identity, requestId }: { identity: string; requestId: string },
  maxTextBytes: number,
): Promise<DecryptedSecret> {
  const file = unarmorText(viewed.text, submissionLengthMax(maxTextBytes))
  const { header, text } = unpackEnvelope(await decryptWith(file, identity))
  if (typeof (header as Partial<SubmissionHeader>).request !== 'string') {
    throw new DecryptError('hostile', 'this submission does not name its request')
  }
  if ((header as SubmissionHeader).request !== requestId) throw new RequestTamperedError('request')
  return { header, text, warnings: findTampering(header, viewed) }
}
