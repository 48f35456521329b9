/** `mayfly request submit`: checks the recipient of the request, encrypts locally, stores on the server. */
import type { CreatedSubmission, OpenedRequest } from '#shared/api'
import type { Client } from '#shared/client/client'
import { createRequestClient, type RequestClient } from '#shared/client/request-client'
import { withRetry } from '#shared/client/retry'
import { newClaim } from '#shared/crypto/keys'
import { deriveShareKeys } from '#shared/crypto/request-keys'
import { decryptNote } from '#shared/crypto/request-note'
import { assertRecipient, encryptSubmission } from '#shared/crypto/submission'
import { parseRequestLink } from '#shared/parse-links'
import type { RequestLink } from '#shared/request-link'
import { connectToServer } from '../../client/connect.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import { checkFileFlags, checkUploadsAllowed, type FileFlags } from '../../files/attachments.js'
import { deleteUploads, uploadFiles } from '../../files/upload-files.js'
import { interruptible } from '../../lib/signals.js'
import { parseDuration } from '../../output/duration.js'
import { formatExpiry, formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatCount, toSingleLine } from '../../output/sanitize.js'
import { parsePasted } from '../../secrets/resolve-link.js'
import type { GlobalFlags } from '../command.js'
import { readContent, type SecretContent } from '../secret/read-content.js'

export interface SubmitFlags extends FileFlags {
  text?: string
  edit?: true
  chomp: boolean
  ttl?: string
}

type Flags = SubmitFlags & GlobalFlags

interface OpenLink {
  link: RequestLink
  opened: OpenedRequest
  submitProof: string
  authenticKey: Uint8Array
  requests: RequestClient
  /** Uploads files for this request. */
  client: Client
}

/** Throws LinkError, CliError, ApiError or RequestTamperedError. */
export async function submitSecret(word: string, flags: Flags, io: Io): Promise<void> {
  checkFileFlags(flags)
  const ttl = flags.ttl === undefined ? undefined : parseDuration('--ttl', flags.ttl)
  const open = await openLink(parsePasted(word, parseRequestLink, io), flags, io)
  const settings = await open.client.settings()
  // What visitors may do otherwise does not matter: the owner of the request accepts files.
  const uploads = open.opened.allowFiles && !settings.disable_file_upload
  const allowed = { ...settings, uploads }
  checkUploadsAllowed(flags.file?.length ?? 0, allowed)
  const content = await readContent(flags, allowed, io)
  const submitted = await store(open, content, ttl, { mode: flags.progress, io })
  const files = content.files.length
  const what = files > 0 ? `submitted with ${formatCount(files, 'file')}` : 'submitted'
  io.note(`${what}: expires ${formatExpiry(submitted.expiresAt, Date.now())}`)
  const document = { id: submitted.id, expires_at: formatTime(submitted.expiresAt), files }
  if (flags.json) await io.write(`${JSON.stringify(document)}\n`)
}

/** Stops before anything is encrypted if the server returned another recipient than the link names. */
async function openLink(link: RequestLink, flags: Flags, io: Io): Promise<OpenLink> {
  const { client, options } = await connectToServer(link.base, flags, io)
  const requests = createRequestClient(options)
  const { submitProof, notePassphrase, authenticKey } = deriveShareKeys(link.shareSecret)
  const opened = await requests.open(link.id, submitProof)
  assertRecipient(opened, link.fingerprint)
  const note = opened.note === null ? null : await decryptNote(opened.note, notePassphrase)
  if (note?.title) io.note(`title: ${toSingleLine(note.title)}`)
  if (note?.instructions) for (const line of note.instructions.split('\n')) io.note(toSingleLine(line))
  return { link, opened, submitProof, authenticKey, requests, client: requests.uploader(client, link.id, submitProof) }
}

/** Uploads the files, then submits. Deletes the files on failure. */
async function store(
  { link, opened, submitProof, authenticKey, requests, client }: OpenLink,
  { text, files: outgoing }: SecretContent,
  ttl: number | undefined,
  { mode, io }: { mode: GlobalFlags['progress']; io: Io },
): Promise<CreatedSubmission> {
  return interruptible(io.cleanup, async (signal) => {
    const files = await uploadFiles(outgoing, client, { mode, signal, io })
    try {
      const expiresAt = Math.min(opened.expiresAt, ttl === undefined ? opened.expiresAt : Date.now() + ttl * 1000)
      const draft = { requestId: link.id, authenticKey, text, files, expiresAt }
      const sealed = await encryptSubmission(draft, opened.recipient)
      const body = { submit: submitProof, ...sealed, ...(ttl === undefined ? {} : { ttl }) }
      const key = newClaim()
      const submitting = withRetry(() => requests.submit(link.id, body, key, signal), { signal })
      return await explainUnknownOutcome(
        submitting,
        'it was submitted',
        () => 'ask the requester before you submit it again',
      )
    } catch (error) {
      await deleteUploads(files, client)
      throw error
    }
  }).finally(() => Promise.all(outgoing.map((file) => file.close())))
}
