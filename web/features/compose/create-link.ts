/** From a draft to a link. */
import type { CreateSecret } from '#shared/api'
import { NetworkError } from '#shared/client'
import type { DraftFile } from '#shared/sealing'
import { sealing } from '../../crypto-worker/crypto-client.js'
import { api } from '../../lib/api.js'
import type { CreatedLink } from './created-link.js'
import { type Options, ttlOf, viewsOf } from './draft-options.js'
import type { Attached } from './files/attached-files.js'
import { loadFiles } from './files/load-file-support.js'
import type { Watch } from './files/upload-files.js'
import { loadCreated } from './load-created-page.js'

export interface Draft {
  text: string
  files: Attached[]
  options: Options
}

/** Makes the link, or rejects with ApiError, NetworkError, JobError, UnreadableError or the signal's reason. May be called again after a failure. */
export type Send = (watch: Watch) => Promise<CreatedLink>

/** What is sent; `sent` has arrived before. */
interface Ready {
  body: CreateSecret
  fragment: string | null
  sent: DraftFile[]
}

/** One draft, ready to be sent. However often it is sent, the server makes one secret of it. */
export function prepare(draft: Draft): Send {
  const { password, allowedIp } = draft.options.isPublic ? { password: '', allowedIp: '' } : draft.options
  let idempotencyKey = randomName()
  let ready: Ready | null = null
  return async (watch) => {
    await loadCreated()
    ready ??= draft.options.isPublic ? await publicSecret(draft) : await sealedSecret(draft, watch)
    const { body, fragment, sent } = ready
    try {
      const created = await api.create(body, idempotencyKey)
      const link = fragment === null ? created.url : `${created.url}#${fragment}`
      return { ...created, link, key: fragment, password, allowedIp }
    } catch (error) {
      // A lost answer may be that of a secret that has the files; any other means that there is none.
      if (sent.length > 0 && !(error instanceof NetworkError)) {
        ready = null
        idempotencyKey = randomName()
        await (await loadFiles()).takeBack(sent)
      }
      throw error
    }
  }
}

async function publicSecret({ text, files, options }: Draft): Promise<Ready> {
  const title = options.title.trim()
  const body: CreateSecret = { text, ttl: ttlOf(options), isPublic: true, ...(title && { title }) }
  if (files.length > 0) body.files = await (await loadFiles()).inlineFiles(files)
  return { body, fragment: null, sent: [] }
}

async function sealedSecret({ text, files, options }: Draft, watch: Watch): Promise<Ready> {
  const { title, password, allowedIp, preventBurn } = options
  const sent = files.length > 0 ? await (await loadFiles()).sendFiles(files, watch) : []
  const sealed = await sealing.seal({
    text,
    files: sent,
    ttl: ttlOf(options),
    title: title.trim(),
    preventBurn,
    ...(!preventBurn && { maxViews: viewsOf(options) }),
    ...(password && { password }),
    ...(allowedIp.trim() && { allowedIp: allowedIp.trim() }),
  })
  return { ...sealed, sent }
}

/** 128 random bits. `crypto.randomUUID` is missing on plain http. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
