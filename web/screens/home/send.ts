/** From a draft to a link. */
import type { CreatedSecret, CreateSecret } from '#shared/api'
import { api } from '../../api.js'
import { sealing } from '../../sealing/index.js'
import { type Options, ttlOf, viewsOf } from './draft.js'
import { loadCreated } from './load-created.js'

/** The link, its two halves, and what the sender may want to know or copy. */
export interface Created extends CreatedSecret {
  link: string
  /** Null: public, there is no key. */
  key: string | null
  password: string
  allowedIp: string
}

/** Makes the link, or rejects with ApiError, NetworkError or JobError. May be called again after a failure. */
export type Send = () => Promise<Created>

/** One draft, ready to be sent. However often it is sent, the server makes one secret of it. */
export function prepare(text: string, options: Options): Send {
  const idempotencyKey = randomName()
  const { password, allowedIp } = options.isPublic ? { password: '', allowedIp: '' } : options
  let ready: { body: CreateSecret; fragment: string | null } | null = null
  return async () => {
    await loadCreated()
    ready ??= options.isPublic ? { body: publicBody(text, options), fragment: null } : await sealed(text, options)
    const created = await api.create(ready.body, idempotencyKey)
    return {
      ...created,
      link: ready.fragment === null ? created.url : `${created.url}#${ready.fragment}`,
      key: ready.fragment,
      password,
      allowedIp,
    }
  }
}

function publicBody(text: string, options: Options): CreateSecret {
  const title = options.title.trim()
  return { text, ttl: ttlOf(options), isPublic: true, ...(title && { title }) }
}

function sealed(text: string, options: Options) {
  const { title, password, allowedIp, preventBurn } = options
  return sealing.seal({
    text,
    ttl: ttlOf(options),
    title: title.trim(),
    preventBurn,
    ...(!preventBurn && { maxViews: viewsOf(options) }),
    ...(password && { password }),
    ...(allowedIp.trim() && { allowedIp: allowedIp.trim() }),
  })
}

/** 128 random bits. `crypto.randomUUID` is missing on plain http. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
