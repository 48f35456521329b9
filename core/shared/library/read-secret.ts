/** Checks, opens and burns a secret. */
import type { SecretExists } from '../api/index.js'
import { ApiError, type Client, createClient } from '../client/client.js'
import { readPlainView, readSealedView, viewSecret } from '../client/viewed-content.js'
import { accessProof, newClaim } from '../crypto/keys.js'
import type { EpochMs } from '../epoch-ms.js'
import { TEXT_BYTES_MAX } from '../limits.js'
import { isPossibleKind, isRawId, KEYLESS, parseFragment } from '../link.js'
import { parseLink } from '../parse-links.js'
import { MayflyError, withClientErrors } from './client-error.js'
import { type Connection, toClientOptions } from './connection.js'
import { type ReceivedSecret, toReceivedSecret } from './received-secret.js'

export interface SecretStatus {
  id: string
  /** null: not limited. */
  viewsLeft: number | null
  expiresAt: EpochMs
  hasPassword: boolean
  /** Number of files. */
  files: number
}

interface KeyOption {
  /** Key of a link without one. */
  key?: string | undefined
}

export interface ReadOptions extends KeyOption {
  password?: string | undefined
  /** Of an earlier attempt: repeats a view that was not acknowledged without using another one. See `newClaim`. */
  claim?: string | undefined
}

interface Place {
  id: string
  /** null: the secret is raw or public. */
  linkKey: Uint8Array | null
}

/** Checks a secret without using up a view. null: it was opened, burned, has expired, or the link is wrong. */
export const getSecretStatus = (
  connection: Connection,
  link: string,
  options: KeyOption = {},
): Promise<SecretStatus | null> =>
  withClientErrors(async () => {
    const place = parsePlace(link, options)
    const found = await peek(createClient(toClientOptions(connection)), place).catch((error) => {
      if (isNotFound(error)) return null
      throw error
    })
    if (found === null) return null
    const { id, maxViews, expiresAt, passwordRequired, files } = found
    return { id, viewsLeft: maxViews, expiresAt, hasPassword: passwordRequired, files }
  })

/**
 * Opens a secret, which uses up a view. A wrong password does not use up a view. Call `acknowledge` of the result when
 * the content is saved. Throws MayflyError: `secret.not_found`, `secret.password_required`, `secret.password_wrong`,
 * `content.*` for a changed secret, and `link.*` before any request.
 */
export const readSecret = (connection: Connection, link: string, options: ReadOptions = {}): Promise<ReceivedSecret> =>
  withClientErrors(async () => {
    const { password, claim = newClaim() } = options
    const place = parsePlace(link, options)
    const client = createClient(toClientOptions(connection))
    // An unfinished view is repeated even if the server reports that no views are left.
    const found = await peek(client, place).catch((error) => {
      if (options.claim === undefined || !isNotFound(error)) throw error
      return { passwordRequired: password !== undefined }
    })
    if (found.passwordRequired && !password) {
      throw new MayflyError('secret.password_required', 'this secret requires a password')
    }
    const { viewed, keys } = await viewSecret(
      client,
      { ...place, claim },
      found.passwordRequired ? password : undefined,
    )
    if (!keys) assertPossibleKind(viewed.kind, place)
    const content = keys ? await readSealedView(viewed, keys.passphrase, TEXT_BYTES_MAX) : readPlainView(viewed)
    return toReceivedSecret(client, { ...viewed, id: place.id }, content, { access: keys?.access, claim })
  })

/** The secret of a link, or of the result of `createSecret`. */
export type BurnTarget = string | { id: string; burnToken: string }

/** Deletes a secret. Throws MayflyError `secret.not_found` if it has ended already. */
export const burnSecret = (connection: Connection, target: BurnTarget, options: KeyOption = {}): Promise<void> =>
  withClientErrors(async () => {
    const client = createClient(toClientOptions(connection))
    if (typeof target !== 'string') {
      await client.burn(target.id, { burnToken: target.burnToken })
      return
    }
    const { id, linkKey } = parsePlace(target, options)
    await client.burn(id, linkKey ? { access: accessProof(linkKey) } : {})
  })

/** Throws LinkError, or MayflyError `link.key_missing` for a link whose key is sent separately. */
function parsePlace(link: string, { key }: KeyOption): Place {
  const { id, fragment } = parseLink(link)
  if (isRawId(id)) return { id, linkKey: null }
  const found = fragment === KEYLESS ? null : fragment
  const text = found ?? key
  if (fragment === KEYLESS && text === undefined) {
    throw new MayflyError('link.key_missing', 'the key of this link is sent separately', { field: 'key' })
  }
  return { id, linkKey: text === undefined ? null : parseFragment(text) }
}

/** Throws MayflyError `link.wrong_kind`, before a password is sent. */
async function peek(client: Client, place: Place): Promise<SecretExists> {
  const found = await client.peek(place.id, place.linkKey ? accessProof(place.linkKey) : undefined)
  assertPossibleKind(found.kind, place)
  return found
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.code === 'secret.not_found'

function assertPossibleKind(kind: SecretExists['kind'], { id, linkKey }: Place): void {
  if (isPossibleKind(kind, id, linkKey && KEYLESS)) return
  const code = kind === 'sealed' && !linkKey ? 'link.key_missing' : 'link.wrong_kind'
  throw new MayflyError(code, `the server reports a ${kind} secret, which this link cannot open`)
}
