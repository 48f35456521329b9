/** `mayfly request submit`: checks the recipient of the request, encrypts locally, stores on the server. */
import type { CreatedSubmission, OpenedRequest } from '#shared/api'
import { encryptAnswer, readOpenedRequest } from '#shared/client/answer-request'
import type { Client } from '#shared/client/client'
import { submitOnce } from '#shared/client/create-once'
import { createRequestClient, type RequestClient } from '#shared/client/request-client'
import { deriveShareKeys } from '#shared/crypto/request-keys'
import { parseRequestLink } from '#shared/parse-links'
import type { RequestLink } from '#shared/request-link'
import { connectToServer } from '../../client/connect.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import { checkFileFlags, checkUploadsAllowed, type FileFlags } from '../../files/attachments.js'
import { withUploads } from '../../files/upload-files.js'
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
  // Limits of visitors do not apply: the owner of the request accepts files.
  const uploads = open.opened.allowFiles && !settings.disable_file_upload
  const allowed = { ...settings, uploads }
  checkUploadsAllowed(flags.file?.length ?? 0, allowed)
  const content = await readContent(flags, allowed, io)
  const submitted = await store(open, content, ttl, { mode: flags.progress, io })
  const files = content.files.length
  const what = files > 0 ? `submitted with ${formatCount(files, 'file')}` : 'submitted'
  io.note(`${what}: expires ${formatExpiry(submitted.expiresAt, Date.now())}`)
  const document = { id: submitted.id, expires_at: formatTime(submitted.expiresAt), files }
  if (flags.json) await io.writeJson(document)
}

/** Stops before anything is encrypted if the server returned another recipient than the link names. */
async function openLink(link: RequestLink, flags: Flags, io: Io): Promise<OpenLink> {
  const { client, options } = await connectToServer(link.base, flags, io)
  const requests = createRequestClient(options)
  const { submitProof } = deriveShareKeys(link.shareSecret)
  const opened = await requests.open(link.id, submitProof)
  const note = await readOpenedRequest(opened, link)
  if (note?.title) io.note(`title: ${toSingleLine(note.title)}`)
  if (note?.instructions) for (const line of note.instructions.split('\n')) io.note(toSingleLine(line))
  return { link, opened, requests, client: requests.uploader(client, link.id, submitProof) }
}

/** Uploads the files, then submits. */
async function store(
  { link, opened, requests, client }: OpenLink,
  { text, files: outgoing }: SecretContent,
  ttl: number | undefined,
  uploading: { mode: GlobalFlags['progress']; io: Io },
): Promise<CreatedSubmission> {
  return withUploads(outgoing, client, uploading, async (files, signal) => {
    const submit = submitOnce(requests, link.id, await encryptAnswer({ text, files, ttl }, opened, link))
    const next = () => 'ask the requester before you submit it again'
    return explainUnknownOutcome(submit({ signal }), 'it was submitted', next)
  })
}
