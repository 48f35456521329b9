/** Encrypts a draft, uploads its files and creates the link. */
import type { CreateSecret } from '#shared/api'
import { isOutcomeUnknown } from '#shared/client/client'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { parseRecipients } from '#shared/recipient-list'
import { cryptoWorker } from '../../crypto-worker/crypto-client.js'
import { api } from '../../lib/api.js'
import { randomHex } from '../../lib/random-hex.js'
import { labelCreated } from '../../lib/session/label-created.js'
import { sessionStore } from '../../lib/session/session-store.js'
import { linkBase } from '../../lib/site.js'
import type { CreatedLink } from './created-link.js'
import type { Attachment } from './draft/attachments.js'
import type { Options } from './draft/draft-store.js'
import { ttlSeconds } from './draft/expiry-options.js'
import { parseViews } from './draft/validate-draft.js'
import { fileSupportPart } from './files/file-support-part.js'
import type { UploadOptions } from './files/upload-files.js'

export interface Draft {
  text: string
  files: Attachment[]
  options: Options
  /** Without it, no notification is requested, regardless of the options. */
  canNotify: boolean
  /** For the options that this browser remembers. */
  store?: { initial: Options; isMoreOpen: boolean }
  /** One of several links to files that are uploaded already. */
  copy?: { name: string; sent: DraftFile[] }
}

/**
 * Rejects with ApiError, NetworkError, JobError, UnreadableError or the signal's reason. Can be called again after an
 * error.
 */
export type CreateLink = (watch: UploadOptions) => Promise<CreatedLink>

/** The request, after the upload of its files. */
interface PreparedRequest {
  body: CreateSecret
  fragment: string | null
  sent: DraftFile[]
}

/** Returns a function that creates the link. Calling it again after an error creates no second secret. */
export function prepareLink(draft: Draft): CreateLink {
  const { password, allowedIp } = draft.options.isPublic ? { password: '', allowedIp: '' } : draft.options
  const recipients = draft.options.isPublic ? [] : parseRecipients(draft.options.recipients ?? '')
  let idempotencyKey = randomHex()
  let ready: PreparedRequest | null = null
  return async (watch) => {
    ready ??= draft.options.isPublic ? await preparePublicSecret(draft) : await prepareEncryptedSecret(draft, watch)
    const { body, fragment, sent } = ready
    try {
      const isNotified = draft.options.notify && draft.canNotify && sessionStore.current() !== null
      const asked = {
        ...(isNotified && { notify: true }),
        ...(draft.options.receipt && { receipt: true }),
        ...(recipients.length > 0 && { recipients }),
      }
      const created = await api.create({ ...body, ...asked }, idempotencyKey, watch.signal)
      // The server lists public secrets with their titles.
      if (!draft.options.isPublic) labelCreated(created, labelOf(draft))
      const secretUrl = `${linkBase()}/secret/${created.id}`
      // The marker of a link whose key is sent separately, see KEYLESS in core/shared/link.ts.
      const [url, link] = fragment === null ? [secretUrl, secretUrl] : [`${secretUrl}#0`, `${secretUrl}#${fragment}`]
      const receipt = created.receipt && { receipt: `${linkBase()}/receipt#${created.receipt.split('#')[1]}` }
      const files = draft.files.map(({ name, file: { size } }) => ({ name, size }))
      return { ...created, ...receipt, url, link, key: fragment, password, allowedIp, recipients, files }
    } catch (error) {
      // The secret may exist and own the files.
      const mayExist = isOutcomeUnknown(error) || watch.signal.aborted
      if (sent.length > 0 && !mayExist && !draft.copy) {
        ready = null
        idempotencyKey = randomHex()
        await (await fileSupportPart.load()).deleteUploads(sent)
      }
      throw error
    }
  }
}

const labelOf = ({ files, options, copy }: Draft): string =>
  [options.title.trim() || files[0]?.name, copy?.name].filter(Boolean).join(' · ')

async function preparePublicSecret({ text, files, options }: Draft): Promise<PreparedRequest> {
  const title = options.title.trim()
  const body: CreateSecret = { text, ttl: ttlSeconds(options), isPublic: true, ...(title && { title }) }
  if (files.length > 0) body.files = await (await fileSupportPart.load()).encodeInlineFiles(files)
  return { body, fragment: null, sent: [] }
}

async function prepareEncryptedSecret(
  { text, files, options, copy }: Draft,
  watch: UploadOptions,
): Promise<PreparedRequest> {
  const { title, password, allowedIp, preventBurn } = options
  const upload = async () => (await fileSupportPart.load()).uploadFiles(files, watch)
  const sent = copy?.sent ?? (files.length > 0 ? await upload() : [])
  const sealed = await cryptoWorker.seal({
    text,
    files: sent,
    ttl: ttlSeconds(options),
    title: title.trim(),
    preventBurn,
    ...(!preventBurn && { maxViews: parseViews(options) }),
    ...(password && { password }),
    ...(allowedIp.trim() && { allowedIp: allowedIp.trim() }),
  })
  return { ...sealed, sent }
}
