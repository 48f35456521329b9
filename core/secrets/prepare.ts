/** What a create call becomes: checked against the operator's limits, sealed where the server seals, with its ids. */
import { randomBytes } from 'node:crypto'
import type { InlineFile } from '../attachments/service.js'
import type { AuthContext } from '../caller.js'
import type { Secret } from '../contracts/storage.js'
import { AppError } from '../errors.js'
import { hashPassword } from '../passwords.js'
import type { CreatedSecret, CreateSecret } from '../shared/api.js'
import { storedProof } from '../shared/keys.js'
import { sealedLength } from '../shared/sealing.js'
import { sealRaw } from './raw.js'
import type { SecretsSettings } from './settings.js'

const DEFAULT_TYPE = 'application/octet-stream'

/** Throws AppError `request.*` naming the field that is over what the operator allows. */
export function checkLimits(
  { text, ttl, access, files = [] }: CreateSecret,
  { userId }: AuthContext,
  settings: SecretsSettings,
): void {
  if (files.length > settings.maxFiles) {
    throw new AppError('request.invalid', { field: 'files', message: `files: must be at most ${settings.maxFiles}` })
  }
  const ttlMax = userId === null ? settings.ttlMaxAnonymous : settings.ttlMaxUser
  if (ttl > ttlMax) {
    throw new AppError('request.invalid', { field: 'ttl', message: `ttl: must be at most ${ttlMax}` })
  }
  const inline = files.reduce(
    (sum, file) => sum + ('content' in file ? Buffer.byteLength(file.content, 'base64') : 0),
    0,
  )
  if (inline > settings.maxTextBytes) {
    const message = `files: must be at most ${settings.maxTextBytes} bytes together when they are inside the call`
    throw new AppError('request.too_large', { field: 'files', message })
  }
  const tooLarge = access
    ? text.length > sealedLength(settings.maxTextBytes)
    : Buffer.byteLength(text) > settings.maxTextBytes
  if (tooLarge) {
    throw new AppError('request.too_large', {
      field: 'text',
      message: `text: must be at most ${settings.maxTextBytes} bytes before it is sealed`,
    })
  }
}

/** The secret as it is stored, what its creator is told, and the files that came with the call. `now` in epoch ms. */
export async function prepare(
  body: CreateSecret,
  caller: AuthContext,
  publicUrl: string,
  now: number,
): Promise<{ secret: Secret; answer: CreatedSecret; inline: InlineFile[] }> {
  const kind = body.access ? 'sealed' : body.isPublic ? 'public' : 'raw'
  const preventBurn = body.preventBurn ?? false
  const maxViews = preventBurn ? null : (body.maxViews ?? (kind === 'public' ? null : 1))
  const lookup = randomBytes(16).toString('base64url')
  const files = (body.files ?? []).flatMap((file) => ('content' in file ? [inlineFile(file)] : []))
  const raw = kind === 'raw' ? await sealRaw({ ...body, files }, now) : null
  const id = raw ? `${lookup}~${raw.key}` : lookup
  const access = raw?.access ?? body.access
  const burnToken = randomBytes(32).toString('base64url')
  const expiresAt = now + body.ttl * 1000
  const secret: Secret = {
    id: lookup,
    kind,
    title: kind === 'public' ? (body.title ?? null) : null,
    text: raw?.text ?? body.text,
    accessHash: access ? storedProof(access) : null,
    passwordHash: body.password ? await passwordHash(kind, body.password) : null,
    burnHash: storedProof(burnToken),
    ownerId: caller.userId,
    allowedIp: body.allowedIp ?? null,
    maxViews,
    views: 0,
    failures: 0,
    preventBurn,
    createdAt: now,
    expiresAt,
    files: body.files?.length ?? 0,
    lockedUntil: 0,
  }
  const answer = { id, url: `${publicUrl}/secret/${id}`, burnToken, expiresAt, maxViews, kind } as const
  return {
    secret,
    answer: raw ? { ...answer, zeroKnowledge: false } : answer,
    inline: raw?.files ?? files,
  }
}

function inlineFile({ name, type, content }: { name: string; type?: string | undefined; content: string }): InlineFile {
  const id = randomBytes(16).toString('base64url')
  return { id, name, type: type ?? DEFAULT_TYPE, bytes: Buffer.from(content, 'base64') }
}

/** A sealed secret's password arrives as a proof of 256 bits, which needs no slow hash. */
const passwordHash = (kind: Secret['kind'], password: string): string | Promise<string> =>
  kind === 'sealed' ? storedProof(password) : hashPassword(password)
