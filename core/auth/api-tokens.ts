/** API tokens: created and deleted by users, sent by programs. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Audit } from '../contracts/audit.js'
import { type AuthContext, anonymous, scopesOf, toAuthContext } from '../contracts/auth-context.js'
import type { ApiToken, TokenStore } from '../contracts/tokens.js'
import type { EventService } from '../events/event-service.js'
import { AppError, isAppError } from '../lib/errors.js'
import { isAllowedAddress, rateLimitPrefix } from '../lib/ip.js'
import type { LimitsService } from '../rate-limits/rate-limit-service.js'
import type { SettingsService } from '../settings/settings-service.js'
import type { CreatedToken, CreateToken, Token } from '../shared/api/index.js'
import { assertCanSignIn } from './account-policy.js'
import { createTokenText, formatToken, parseToken } from './api-token-format.js'
import { tokenCreatedEvents, tokenDeletedEvents } from './durable-account-events.js'

/** Default lifetime. */
const YEAR_MS = 365 * 24 * 60 * 60_000
/** Per user. */
const TOKENS_MAX = 100
/** Precision of the time of last use. */
const USED_PRECISION_MS = 60_000

interface Deps {
  store: TokenStore
  instance: SettingsService
  limits: LimitsService
  audit: Audit
  events: Pick<EventService, 'create'>
  /** Epoch ms. */
  now: () => number
}

export type TokensService = ReturnType<typeof tokensService>

export const tokensService = (deps: Deps) => ({
  create: createToken.bind(null, deps),
  identify: identifyToken.bind(null, deps),
  list: listTokens.bind(null, deps),
  remove: deleteToken.bind(null, deps),
  charge: <T>(
    caller: AuthContext,
    measure: () => Promise<number>,
    make: () => Promise<T>,
    isNew: (made: T) => boolean,
  ) => chargeToken(deps, caller, { measure, make, isNew }),
})

/**
 * Returns the token, which is not stored. Throws AppError `auth.required`, also when the session of the caller was ended after the
 * request began, `token.limit_reached`, or `request.invalid` with the field.
 */
export async function createToken(
  { store, audit, events, now }: Deps,
  body: CreateToken,
  caller: AuthContext,
): Promise<CreatedToken> {
  if (caller.userId === null || caller.role === null) throw new AppError('auth.required')
  const allowed = scopesOf(caller.role)
  const { name, scopes = [...allowed], expiresAt = now() + YEAR_MS } = body
  if (!scopes.every((scope) => allowed.includes(scope)))
    throw invalid('scopes', 'your account does not have all of these permissions')
  if (expiresAt <= now()) throw invalid('expiresAt', 'must be in the future')
  const { id, secret } = createTokenText()
  const token: ApiToken = {
    id,
    hash: hashSecret(secret),
    userId: caller.userId,
    name,
    scopes: [...new Set(scopes)],
    createdAt: now(),
    usedAt: null,
    expiresAt,
    secretsLeft: body.maxSecrets ?? null,
    bytesLeft: body.maxBytes ?? null,
    allowedIp: body.allowedIp ?? null,
  }
  const created = tokenCreatedEvents(events, token)
  await store.create(token, TOKENS_MAX, now(), created, caller.sessionId).catch((error) => {
    throw isAppError(error, 'storage.conflict') ? new AppError('token.limit_reached') : error
  })
  await audit({ action: 'token.created', caller, subject: id, detail: { scopes: token.scopes.join(' ') } })
  return { ...toResponse(token), token: formatToken({ id, secret }) }
}

/**
 * The user of a token. Throws AppError `auth.invalid_token`, the same for every reason, `auth.users_disabled` or
 * `limit.reached`.
 */
export async function identifyToken(deps: Deps, text: string, address: string | null): Promise<AuthContext> {
  const { store, instance, limits, audit, now } = deps
  const parsed = parseToken(text)
  const caller = anonymous(address)
  // Counted per network, so that strangers who know the id cannot lock out the owner of the token.
  const limited = parsed ? `${parsed.id} ${rateLimitPrefix(address)}` : undefined
  limits.assertNotBlocked('token-wrong', caller, limited)
  const found = parsed && (await store.find(parsed.id, now()))
  // Compared in any case, so that the response time does not reveal whether a token with this id exists.
  const isRight = isSameHash(hashSecret(parsed?.secret ?? ''), found?.token.hash ?? NO_HASH)
  if (!found || !isRight || !isAllowedAddress(found.token.allowedIp, address)) {
    await limits.recordFailure('token-wrong', caller, limited)
    await audit({ action: 'token.refused', caller, subject: parsed?.id ?? null })
    throw new AppError('auth.invalid_token')
  }
  const { token, user } = found
  assertCanSignIn(user, await instance.current())
  if (token.usedAt === null) await audit({ action: 'token.used', caller: { ...user, address }, subject: token.id })
  if (now() - (token.usedAt ?? 0) >= USED_PRECISION_MS) await store.markUsed(token.id, now())
  return toAuthContext(user, { address, tokenId: token.id, scopes: token.scopes })
}

/** Lists the tokens of a user. */
export async function listTokens({ store, now }: Deps, { userId }: Pick<AuthContext, 'userId'>): Promise<Token[]> {
  return userId === null ? [] : (await store.list(userId, now())).map(toResponse)
}

/** A token can always delete itself. Throws AppError `token.not_found` or `auth.scope`. */
export async function deleteToken({ store, audit, events }: Deps, id: string, caller: AuthContext): Promise<void> {
  const { userId, tokenId, scopes } = caller
  if (userId === null) throw new AppError('auth.required')
  if (![null, id].includes(tokenId) && !scopes.includes('account')) throw new AppError('auth.scope')
  if (!(await store.remove(id, userId, tokenDeletedEvents(events, id, userId)))) throw new AppError('token.not_found')
  await audit({ action: 'token.deleted', caller, subject: id })
}

interface Charge<T> {
  /** Bytes of the secret. Called only for tokens. */
  measure(): Promise<number>
  make(): Promise<T>
  /** False: the result existed before, so it costs nothing. */
  isNew(made: T): boolean
}

/**
 * Runs `make` and charges one secret and its bytes to the caller's token, if there is one. The charge is refunded when `make`
 * throws or returns an old result. Throws AppError `token.used_up`.
 */
async function chargeToken<T>(
  { store, now }: Deps,
  { tokenId }: AuthContext,
  { measure, make, isNew }: Charge<T>,
): Promise<T> {
  if (tokenId === null) return make()
  const bytes = await measure()
  if (!(await store.spend(tokenId, bytes, now()))) throw new AppError('token.used_up')
  let isSpent = false
  try {
    const made = await make()
    isSpent = isNew(made)
    return made
  } finally {
    if (!isSpent) await store.refund(tokenId, bytes)
  }
}

/** A token has 256 random bits, so a fast hash is enough. */
const hashSecret = (secret: string): string => createHash('sha256').update(`mayfly/v1/token${secret}`).digest('hex')

const isSameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Hash of no secret. */
const NO_HASH = '0'.repeat(64)

const toResponse = ({ hash: _, userId: __, ...token }: ApiToken): Token => token

const invalid = (field: string, problem: string) =>
  new AppError('request.invalid', { field, message: `${field}: ${problem}` })
