/** Asks a person for a secret, answers such a request, and collects the answers. */
import type { CollectedRequest } from '../api/index.js'
import type { AnswerDraft } from '../client/answer-request.js'
import { type Client, createClient } from '../client/client.js'
import { submitOnce } from '../client/create-once.js'
import { createRequestClient } from '../client/request-client.js'
import { acknowledge } from '../client/viewed-content.js'
import { newClaim } from '../crypto/keys.js'
import { deriveCollectKeys, deriveShareKeys } from '../crypto/request-keys.js'
import type { EpochMs } from '../epoch-ms.js'
import { TEXT_BYTES_MAX } from '../limits.js'
import { parseCollectLink, parseRequestLink } from '../parse-links.js'
import { type CollectLink, formatRequestLinks } from '../request-link.js'
import { inputError, withClientErrors } from './client-error.js'
import { type Connection, getBase, toClientOptions } from './connection.js'
import { type ContentInput, encodeContentText, withUploads } from './outgoing-content.js'
import { type ReceivedSecret, toReceivedSecret } from './received-secret.js'

export interface RequestInput {
  /** Seconds until it expires. Default: a day. */
  ttl?: number | undefined
  /** One line, encrypted. */
  title?: string | undefined
  /** Plain text for the person who answers, encrypted. */
  instructions?: string | undefined
  /** Default: 1. */
  maxSubmissions?: number | undefined
  /** Whether files are accepted. Default: true. */
  allowFiles?: boolean | undefined
  /** Maximum size of a submission, in encrypted bytes of text and files. */
  maxBytes?: number | undefined
  /** Address or range in CIDR notation that may submit. */
  allowedIp?: string | undefined
  /** Notifies the account of the token about submissions. */
  notify?: boolean | undefined
}

export interface CreatedRequestLinks {
  id: string
  /** For the person who answers. */
  requestLink: string
  /** Opens the submissions: keep it. */
  collectLink: string
  expiresAt: EpochMs
}

export interface RequestStatus {
  id: string
  title: string
  instructions: string
  expiresAt: EpochMs
  submissionsLeft: number
  allowFiles: boolean
  /** null: only the limits of the server apply. */
  maxBytes: number | null
  /** Of one file, before encryption. */
  maxFileBytes: number
}

/** A submission that has arrived. */
export interface SubmissionStatus {
  id: string
  createdAt: EpochMs
  expiresAt: EpochMs
  /** Encrypted bytes of text and files. */
  size: number
  /** Number of files. */
  files: number
  /** Opened, burned or expired. */
  isViewed: boolean
}

export interface CollectOptions {
  /** Id of a submission. Default: the oldest unopened submission. */
  id?: string | undefined
  /** As in ReadOptions. */
  claim?: string | undefined
}

/** `tag`: equal for a submission that was sent, or returned by the server, twice. */
export interface ReceivedSubmission extends ReceivedSecret {
  tag: string
}

const DEFAULT_TTL_S = 24 * 3600

/** The code for submissions, which contains post-quantum cryptography. */
const loadSubmissions = () => import('../crypto/submission.js')
const loadAnswers = () => import('../client/answer-request.js')
const loadViews = () => import('../client/viewed-submission.js')

/** Creates a request once, also when requests have to be repeated. Throws MayflyError. */
export const createRequest = (connection: Connection, input: RequestInput = {}): Promise<CreatedRequestLinks> =>
  withClientErrors(async () => {
    const { ttl = DEFAULT_TTL_S, title = '', instructions = '', maxSubmissions, allowFiles, maxBytes } = input
    const base = getBase(connection.server)
    const { createRequestKeys } = await loadSubmissions()
    const made = await createRequestKeys({ title, instructions }).catch((error) => {
      throw error instanceof RangeError ? inputError('instructions', error.message) : error
    })
    const body = { ...made.body, ttl, maxSubmissions, allowFiles, maxBytes, ...toOptions(input) }
    const { id, expiresAt } = await createRequestClient(toClientOptions(connection)).create(body, newClaim())
    return { id, ...formatRequestLinks({ base, id }, made), expiresAt }
  })

const toOptions = ({ allowedIp, notify }: RequestInput) => ({
  ...(allowedIp !== undefined && { allowedIp }),
  ...(notify && { notify }),
})

/** Checks a request link and reads the request. Throws MayflyError `secret_request.not_found`. */
export const getRequestStatus = (connection: Connection, requestLink: string): Promise<RequestStatus> =>
  withClientErrors(async () => {
    const { link, opened, note } = await openRequest(connection, requestLink)
    const { expiresAt, submissionsLeft, allowFiles, maxBytes, maxFileBytes } = opened
    return { id: link.id, ...note, expiresAt, submissionsLeft, allowFiles, maxBytes, maxFileBytes }
  })

/**
 * Answers a request once, also when requests have to be repeated. `ttl`: seconds; at most, and by default, until the
 * request expires. Throws MayflyError: `request.recipient_changed` before anything is encrypted, or the reason of the
 * signal.
 */
export const submit = (
  connection: Connection,
  requestLink: string,
  input: ContentInput & Pick<AnswerDraft, 'ttl'>,
): Promise<{ id: string; expiresAt: EpochMs }> =>
  withClientErrors(async () => {
    const text = encodeContentText(input)
    const { link, opened, requests, submitProof } = await openRequest(connection, requestLink)
    const uploader = requests.uploader(createClient(toClientOptions(connection)), link.id, submitProof)
    return withUploads(input, uploader, async (files) => {
      const { encryptAnswer } = await loadAnswers()
      const body = await encryptAnswer({ text, files, ttl: input.ttl }, opened, link)
      const { id, expiresAt } = await submitOnce(requests, link.id, body)({ signal: input.signal })
      return { id, expiresAt }
    })
  })

async function openRequest(connection: Connection, requestLink: string) {
  const link = parseRequestLink(requestLink)
  const { submitProof } = deriveShareKeys(link.shareSecret)
  const requests = createRequestClient(toClientOptions(connection))
  const opened = await requests.open(link.id, submitProof)
  const { readOpenedRequest } = await loadAnswers()
  const note = (await readOpenedRequest(opened, link)) ?? { title: '', instructions: '' }
  return { link, opened, note, requests, submitProof }
}

/** Lists the submissions of a request, oldest first. Throws MayflyError `secret_request.not_found`. */
export const listSubmissions = (connection: Connection, collectLink: string): Promise<SubmissionStatus[]> =>
  withClientErrors(async () => {
    const { submissions } = await listOf(connection, parseCollectLink(collectLink))
    return submissions.map(({ viewed, ...submission }) => ({ ...submission, isViewed: viewed }))
  })

/**
 * Opens a submission. null: all submissions are opened. Call `acknowledge` of the result when the content is saved.
 * Throws MayflyError: `submission.*` and `content.*` for a changed submission, which is deleted.
 */
export const collect = (
  connection: Connection,
  collectLink: string,
  { id, claim = newClaim() }: CollectOptions = {},
): Promise<ReceivedSubmission | null> =>
  withClientErrors(async () => {
    const link = parseCollectLink(collectLink)
    const submissionId = id ?? (await listOf(connection, link)).submissions.find(({ viewed }) => !viewed)?.id
    if (submissionId === undefined) return null
    const client = createClient(toClientOptions(connection))
    return openSubmission(client, submissionId, link, claim)
  })

async function openSubmission(client: Client, id: string, link: CollectLink, claim: string) {
  const access = deriveCollectKeys(link.requestKey).collectProof
  const [{ readSubmission }, { isDamaged }] = await Promise.all([loadViews(), loadSubmissions()])
  const viewed = await client.view(id, { access, claim })
  const content = await readSubmission(viewed, link, TEXT_BYTES_MAX).catch(async (error) => {
    if (isDamaged(error)) await acknowledge(client, id, { access, claim, damaged: true }).catch(() => {})
    throw error
  })
  return { ...toReceivedSecret(client, { ...viewed, id }, content, { access, claim }), tag: content.tag }
}

/** Closes a request and burns its unopened submissions. Throws MayflyError. */
export const closeRequest = (connection: Connection, collectLink: string): Promise<void> =>
  withClientErrors(async () => {
    const { id, requestKey } = parseCollectLink(collectLink)
    const requests = createRequestClient(toClientOptions(connection))
    await requests.close(id, deriveCollectKeys(requestKey).collectProof)
  })

const listOf = (connection: Connection, { id, requestKey }: CollectLink): Promise<CollectedRequest> =>
  createRequestClient(toClientOptions(connection)).collect(id, deriveCollectKeys(requestKey).collectProof)
