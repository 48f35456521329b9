/** Creates a sealed secret. */
import { createClient } from '../client/client.js'
import { burnAfterAbort, createSecretOnce } from '../client/create-once.js'
import { buildCreatedLinks } from '../client/created-links.js'
import { type Draft, encryptSecret } from '../crypto/encrypt-secret.js'
import type { EpochMs } from '../epoch-ms.js'
import { TITLE_MAX } from '../limits.js'
import { inputError, withClientErrors } from './client-error.js'
import { type Connection, getBase, toClientOptions } from './connection.js'
import { type ContentInput, encodeContentText, withUploads } from './outgoing-content.js'

/** A new secret. The server never receives its text, title, password, or the names of its files. */
export interface SecretInput extends ContentInput {
  /** Seconds until it expires. Default: a day. */
  ttl?: number | undefined
  /** Number of views. Default: 1. */
  maxViews?: number | undefined
  /** The secret ends only when it expires. Excludes `maxViews`. */
  preventBurn?: boolean | undefined
  /** Readers need it in addition to the link. Takes about 0.5 s. */
  password?: string | undefined
  /** One line. */
  title?: string | undefined
  /** Address or range in CIDR notation from which it can be opened. */
  allowedIp?: string | undefined
  /** Notifies the account of the token about the secret. */
  notify?: boolean | undefined
  /** Returns a receipt link. */
  receipt?: boolean | undefined
}

export interface CreatedLink {
  id: string
  /** Opens the secret. */
  link: string
  /** For a key that is sent in another way: the link without it, and the key. */
  linkWithoutKey: string
  key: string
  /** Deletes the secret without its link. */
  burnToken: string
  expiresAt: EpochMs
  /** null: not limited. */
  maxViews: number | null
  /** Shows the views and the end of the secret; null unless `receipt` was set. */
  receiptLink: string | null
}

const DEFAULT_TTL_S = 24 * 3600

/**
 * Encrypts and stores a secret once, also when requests have to be repeated. Throws MayflyError, or the reason of the
 * signal, after which the secret does not exist.
 */
export const createSecret = (connection: Connection, input: SecretInput): Promise<CreatedLink> =>
  withClientErrors(async () => {
    const draft = toDraft(input)
    const base = getBase(connection.server)
    const client = createClient(toClientOptions(connection))
    return withUploads(input, client, async (files) => {
      const { body, fragment } = await encryptSecret({ ...draft, files })
      const asked = { ...(input.notify && { notify: true }), ...(input.receipt && { receipt: true }) }
      const create = createSecretOnce(client, { ...body, ...asked })
      const created = await create({ signal: input.signal }).catch(async (error) => {
        if (input.signal?.aborted) await burnAfterAbort(client, create)
        throw error
      })
      const { link, linkWithoutKey, receipt = null } = buildCreatedLinks(created, fragment, base)
      const { id, burnToken, expiresAt, maxViews } = created
      return { id, link, linkWithoutKey, key: fragment, burnToken, expiresAt, maxViews, receiptLink: receipt }
    })
  })

/** Throws MayflyError `input.invalid` for input that the server cannot check, because it is encrypted. */
function toDraft(input: SecretInput): Omit<Draft, 'files'> {
  const { ttl = DEFAULT_TTL_S, title = '', maxViews = 1, password, allowedIp, preventBurn = false } = input
  if (title.length > TITLE_MAX || /\p{Cc}/u.test(title)) {
    throw inputError('title', `must be one line of at most ${TITLE_MAX} characters`)
  }
  if (preventBurn && input.maxViews !== undefined) throw inputError('maxViews', 'and preventBurn exclude each other')
  if (password === '') throw inputError('password', 'must not be empty')
  return {
    text: encodeContentText(input),
    ttl,
    title,
    maxViews,
    preventBurn,
    ...(password === undefined ? {} : { password }),
    ...(allowedIp === undefined ? {} : { allowedIp }),
  }
}
