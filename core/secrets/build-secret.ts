/** Builds a secret from a create request: checks the limits, encrypts raw secrets, and creates ids and tokens. */
import type { App } from '../app.js'
import type { InlineFile } from '../attachments/bind-uploads.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { Secret } from '../contracts/storage.js'
import { fieldError } from '../lib/errors.js'
import type { PasswordHasher } from '../lib/password-hash.js'
import { newId, randomToken } from '../lib/random-token.js'
import { storedProof } from '../lib/stored-proof.js'
import type { StartupConfig } from '../settings/startup-config.js'
import type { CreatedSecret, CreateSecret } from '../shared/api/index.js'
import { encryptedTextLengthMax } from '../shared/crypto/encrypted-sizes.js'
import { loadServerEncryption } from './load-server-encryption.js'
import { createReceipt } from './receipts.js'
import { hashRecipientAddress } from './recipient-hashes.js'

const DEFAULT_TYPE = 'application/octet-stream'

/** Throws AppError `request.*` with the field that exceeds a configured limit. */
export function assertWithinLimits(
  { text, ttl, access, isPublic, allowedIp, files = [] }: CreateSecret,
  { userId }: AuthContext,
  { maxFiles, maxTextBytes, ttlMaxAnonymous, ttlMaxUser }: StartupConfig,
): void {
  if (isPublic && allowedIp !== undefined)
    throw fieldError('allowedIp', 'must not be set for a public secret, which everyone can read')
  if (files.length > maxFiles) throw fieldError('files', `must be at most ${maxFiles}`)
  const ttlMax = userId === null ? ttlMaxAnonymous : ttlMaxUser
  if (ttl > ttlMax) throw fieldError('ttl', `must be at most ${ttlMax}`)
  const inlineBytes = files.reduce(
    (sum, file) => sum + ('content' in file ? Buffer.byteLength(file.content, 'base64') : 0),
    0,
  )
  if (inlineBytes > maxTextBytes)
    throw fieldError('files', `must be at most ${maxTextBytes} bytes together when sent inline`, 'request.too_large')
  const isTooLarge = access
    ? text.length > encryptedTextLengthMax(maxTextBytes)
    : text.length > maxTextBytes || Buffer.byteLength(text) > maxTextBytes
  if (isTooLarge)
    throw fieldError('text', `must be at most ${maxTextBytes} bytes before encryption`, 'request.too_large')
}

export interface BuiltSecret {
  secret: Secret
  /** Response to the creator. */
  response: CreatedSecret
  /** Files that were sent inside the request. */
  inline: InlineFile[]
  /** Of the named recipients. */
  addressHashes: string[] | undefined
}

export async function buildSecret(app: App, body: CreateSecret, caller: AuthContext): Promise<BuiltSecret> {
  const { publicUrl } = app.config
  const now = app.now()
  const kind = body.access ? 'sealed' : body.isPublic ? 'public' : 'raw'
  const lookup = newId()
  const files = (body.files ?? []).flatMap((file) => ('content' in file ? [toInlineFile(file)] : []))
  const raw = kind === 'raw' ? await (await loadServerEncryption()).encryptRaw({ ...body, files }, now) : null
  const access = raw?.access ?? body.access
  const burnToken = randomToken(32)
  const receipt = body.receipt ? createReceipt(publicUrl) : null
  const secret: Secret = {
    id: lookup,
    kind,
    title: kind === 'public' ? (body.title ?? null) : null,
    text: raw?.text ?? body.text,
    accessHash: access ? storedProof(access) : null,
    passwordHash: body.password ? await hashSecretPassword(kind, body.password, app.hasher) : null,
    burnHash: storedProof(burnToken),
    ownerId: caller.userId,
    allowedIp: body.allowedIp ?? null,
    ...buildViewCounts(body, kind),
    notify: body.notify ?? false,
    createdAt: now,
    expiresAt: now + body.ttl * 1000,
    files: body.files?.length ?? 0,
    ...(receipt && { receiptHash: receipt.hash }),
    ...(body.recipients && { recipients: body.recipients.length }),
  }
  const id = raw ? `${lookup}~${raw.key}` : lookup
  const { expiresAt, maxViews } = secret
  const common = { id, url: `${publicUrl}/secret/${id}`, burnToken, expiresAt, maxViews, kind } as const
  const response = receipt ? { ...common, receipt: receipt.link } : common
  return {
    secret,
    response: raw ? { ...response, zeroKnowledge: false } : response,
    inline: raw?.files ?? files,
    addressHashes: body.recipients?.map((email) => hashRecipientAddress(app.key, lookup, email)),
  }
}

/** One view, or one for each named recipient, unless the request says otherwise; public secrets are unlimited. */
function buildViewCounts({ maxViews, recipients, preventBurn = false }: CreateSecret, kind: Secret['kind']) {
  const limit = preventBurn ? null : (maxViews ?? (kind === 'public' ? null : (recipients?.length ?? 1)))
  return { maxViews: limit, preventBurn, views: 0, failures: 0, lockedUntil: 0 }
}

function toInlineFile({
  name,
  type,
  content,
}: {
  name: string
  type?: string | undefined
  content: string
}): InlineFile {
  const id = newId()
  return { id, name, type: type ?? DEFAULT_TYPE, bytes: Buffer.from(content, 'base64') }
}

/** The password of a sealed secret arrives as a 256-bit proof, so a fast hash is enough. */
const hashSecretPassword = (
  kind: Secret['kind'],
  password: string,
  hasher: PasswordHasher,
): string | Promise<string> => (kind === 'sealed' ? storedProof(password) : hasher.hash(password))
