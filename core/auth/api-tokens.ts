/** API tokens: created and deleted by users, sent by programs. */

import { hash, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.js'
import { ALL_SCOPES, type AuthContext, anonymous, scopesOf } from '../contracts/auth-context.js'
import type { ApiToken } from '../contracts/tokens.js'
import { createEvents } from '../events/durable-events.js'
import { AppError, fieldError, onConflict } from '../lib/errors.js'
import { isAllowedAddress, rateLimitPrefix } from '../lib/ip.js'
import type { CreatedToken, CreateToken, Token } from '../shared/api/index.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import type { InstanceSettings } from '../shared/instance-settings.js'
import { tokenCreatedFacts, tokenDeletedFacts } from './account-facts.js'
import { assertCanSignIn } from './account-policy.js'
import { createTokenText, formatToken, parseToken } from './api-token-format.js'
import { identifyUser } from './second-factor-policy.js'

const DAY_MS = 24 * 60 * 60_000
/** Default lifetime. */
const YEAR_MS = 365 * DAY_MS
/** A client whose clock is ahead may request slightly more than the limit. It gets the limit. */
const CLOCK_TOLERANCE_MS = 60 * 60_000
/** Per user. */
export const TOKENS_MAX = 100
/** Precision of the time of last use. */
const USED_PRECISION_MS = 60_000

/**
 * Returns the token, which is not stored. Throws AppError `auth.required`, also when the session of the caller was
 * ended after the request began, `token.limit_reached`, or `request.invalid` with the field.
 */
export async function createToken(app: App, body: CreateToken, caller: AuthContext): Promise<CreatedToken> {
  const { token, created } = await buildToken(app, body, caller)
  const events = createEvents(app, tokenCreatedFacts(token))
  await app.storage.tokens
    .create({ token, max: TOKENS_MAX, now: app.now(), events, sessionId: caller.sessionId })
    .catch(onConflict('token.limit_reached'))
  await noteTokenCreated(app, token, caller)
  return created
}

/**
 * Returns a new token of the caller, which is not stored yet, and the response with its text. Throws AppError
 * `auth.required` or `request.invalid`.
 */
export async function buildToken(
  app: App,
  body: CreateToken,
  caller: AuthContext,
): Promise<{ token: ApiToken; created: CreatedToken }> {
  if (caller.userId === null || caller.role === null) throw new AppError('auth.required')
  const allowed = scopesOf(caller.role)
  const { token_lifetime_days: days } = await app.settings.current()
  const { name, scopes = ALL_SCOPES.filter((scope) => allowed.includes(scope)) } = body
  if (!scopes.every((scope) => allowed.includes(scope)))
    throw fieldError('scopes', 'your account does not have all of these permissions')
  const expiresAt = resolveExpiry(body.expiresAt, days, app.now())
  const { id, secret } = createTokenText()
  const token: ApiToken = {
    id,
    hash: hashSecret(secret),
    userId: caller.userId,
    name,
    scopes: [...new Set(scopes)],
    createdAt: app.now(),
    usedAt: null,
    expiresAt,
    secretsLeft: body.maxSecrets ?? null,
    bytesLeft: body.maxBytes ?? null,
    allowedIp: body.allowedIp ?? null,
    epoch: caller.epoch,
  }
  return { token, created: { ...toResponse(token), token: formatToken({ id, secret }) } }
}

/** `wanted`: by default a year, or the limit. Throws AppError `request.invalid`. */
function resolveExpiry(
  wanted: EpochMs | undefined,
  days: InstanceSettings['token_lifetime_days'],
  now: EpochMs,
): EpochMs {
  const lastEnd = days === 'unlimited' ? Number.POSITIVE_INFINITY : now + Number(days) * DAY_MS
  const expiresAt = wanted ?? Math.min(now + YEAR_MS, lastEnd)
  if (expiresAt <= now) throw fieldError('expiresAt', 'must be in the future')
  if (expiresAt > lastEnd + CLOCK_TOLERANCE_MS)
    throw fieldError('expiresAt', `must be within ${days} days on this instance`)
  return Math.min(expiresAt, lastEnd)
}

export const noteTokenCreated = (app: App, { id, scopes }: ApiToken, caller: AuthContext): Promise<void> =>
  app.audit.note({ action: 'token.created', caller, subject: id, detail: { scopes: scopes.join(' ') } })

/**
 * The user of a token. Throws AppError `auth.invalid_token`, the same for every reason, `auth.users_disabled` or
 * `limit.reached`.
 */
export async function identifyToken(app: App, text: string, address: string | null): Promise<AuthContext> {
  const parsed = parseToken(text)
  const caller = anonymous(address)
  // Counted per network, so that strangers who know the id cannot lock out the owner of the token.
  const limited = parsed ? `${parsed.id} ${rateLimitPrefix(address)}` : undefined
  app.limits.assertNotBlocked('token-wrong', caller, limited)
  const found = parsed && (await app.storage.tokens.find(parsed.id, app.now()))
  // Compared in any case, so that the response time does not reveal whether a token with this id exists.
  const isRight = isSameHash(hashSecret(parsed?.secret ?? ''), found?.token.hash ?? NO_HASH)
  if (!found || !isRight || !isAllowedAddress(found.token.allowedIp, address)) {
    await app.limits.recordFailure('token-wrong', caller, limited)
    // The id of a made-up token is a text of the caller.
    await app.audit.note({ action: 'token.refused', caller, subject: found?.token.id ?? null })
    throw new AppError('auth.invalid_token')
  }
  const { token, user } = found
  const settings = await app.settings.current()
  assertCanSignIn(user, settings)
  if (token.usedAt === null)
    await app.audit.note({ action: 'token.used', caller: { ...user, address }, subject: token.id })
  if (app.now() - (token.usedAt ?? 0) >= USED_PRECISION_MS) await app.storage.tokens.markUsed(token.id, app.now())
  const { expiresAt, allowedIp, scopes } = token
  const credentials = { address, tokenId: token.id, tokenLimits: { expiresAt, allowedIp }, scopes, level: 2 } as const
  return identifyUser(user, credentials, { settings, now: app.now() })
}

/** Lists the tokens of a user. */
export async function listTokens(app: App, { userId }: Pick<AuthContext, 'userId'>): Promise<Token[]> {
  return userId === null ? [] : (await app.storage.tokens.list(userId, app.now())).map(toResponse)
}

/** A token can always delete itself. Throws AppError `token.not_found` or `auth.scope`. */
export async function deleteToken(app: App, id: string, caller: AuthContext): Promise<void> {
  const { userId, tokenId, scopes } = caller
  if (userId === null) throw new AppError('auth.required')
  if (![null, id].includes(tokenId) && !scopes.includes('account')) throw new AppError('auth.scope')
  if (!(await app.storage.tokens.remove(id, userId, createEvents(app, tokenDeletedFacts(id, userId)))))
    throw new AppError('token.not_found')
  await app.audit.note({ action: 'token.deleted', caller, subject: id })
}

/** A token has 256 random bits, so a fast hash is enough. */
const hashSecret = (secret: string): string => hash('sha256', `mayfly/v1/token${secret}`)

const isSameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Matches no secret. */
const NO_HASH = '0'.repeat(64)

const toResponse = ({ hash: _, userId: __, epoch: ___, ...token }: ApiToken): Token => token
