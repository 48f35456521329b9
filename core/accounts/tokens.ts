/** API tokens: made and deleted by people, shown by programs. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type AuthContext, scopesOf, toAuthContext, visitor } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { ApiToken, TokenStore } from '../contracts/tokens.js'
import { AppError, isAppError } from '../errors.js'
import type { LimitsService } from '../limits/service.js'
import { isAllowedAddress, networkOf } from '../network.js'
import type { SettingsService } from '../settings/service.js'
import type { CreatedToken, CreateToken, Token } from '../shared/api.js'
import { checkMayEnter } from './entry.js'
import { formatToken, newTokenText, parseToken } from './token-text.js'

const YEAR_MS = 365 * 24 * 60 * 60_000
/** Of one user. */
const MOST = 100
/** How exactly it is kept when a token was used. */
const USED_MS = 60_000

interface Parts {
  store: TokenStore
  instance: SettingsService
  limits: LimitsService
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

export type TokensService = ReturnType<typeof tokensService>

export function tokensService({ store, instance, limits, audit, now }: Parts) {
  /** The answer is the only one that has the token. Throws AppError `token.limit_reached`, or `request.invalid` with its field. */
  async function create(wanted: CreateToken, caller: AuthContext): Promise<CreatedToken> {
    if (caller.userId === null || caller.role === null) throw new AppError('auth.required')
    const mayHave = scopesOf(caller.role)
    const { name, scopes = [...mayHave], expiresAt = now() + YEAR_MS } = wanted
    if (!scopes.every((scope) => mayHave.includes(scope)))
      throw invalid('scopes', 'your account may not do that itself')
    if (expiresAt <= now()) throw invalid('expiresAt', 'must be in the future')
    const text = newTokenText()
    const token: ApiToken = {
      ...{ id: text.id, hash: hashOf(text.secret), userId: caller.userId },
      ...{ name, scopes: [...new Set(scopes)], createdAt: now(), usedAt: null, expiresAt },
      secretsLeft: wanted.maxSecrets ?? null,
      bytesLeft: wanted.maxBytes ?? null,
      allowedIp: wanted.allowedIp ?? null,
    }
    await store.create(token, MOST, now()).catch((error) => {
      throw isAppError(error, 'storage.conflict') ? new AppError('token.limit_reached') : error
    })
    await audit({ action: 'token.created', caller, subject: text.id, detail: { scopes: token.scopes.join(' ') } })
    return { ...shown(token), token: formatToken(text) }
  }

  /** Throws AppError `auth.invalid_token`, the same for every reason, or `auth.users_disabled`. */
  async function identify(text: string, address: string | null): Promise<AuthContext> {
    const shown = parseToken(text)
    const by = visitor(address)
    // From elsewhere nobody can keep a token from being used: its id is no secret.
    const guessed = shown ? `${shown.id} ${networkOf(address)}` : undefined
    limits.check('token-wrong', by, guessed)
    const it = shown && (await store.find(shown.id, now()))
    // Compared in any case, so that the time does not tell whether there is a token of this id.
    const isRight = timingSafeEqual(Buffer.from(hashOf(shown?.secret ?? '')), Buffer.from(it?.token.hash ?? NO_HASH))
    if (!it || !isRight || !isAllowedAddress(it.token.allowedIp, address)) {
      await limits.count('token-wrong', by, guessed)
      await audit({ action: 'token.refused', caller: by, subject: shown?.id ?? null })
      throw new AppError('auth.invalid_token')
    }
    const { token, user } = it
    checkMayEnter(user, await instance.current())
    if (token.usedAt === null) await audit({ action: 'token.used', caller: { ...user, address }, subject: token.id })
    if (now() - (token.usedAt ?? 0) >= USED_MS) await store.used(token.id, now())
    return toAuthContext(user, { address, tokenId: token.id, scopes: token.scopes })
  }

  async function list({ userId }: AuthContext): Promise<Token[]> {
    return userId === null ? [] : (await store.list(userId, now())).map(shown)
  }

  /** A token may always delete itself. Throws AppError `token.not_found` or `auth.scope`. */
  async function remove(id: string, caller: AuthContext): Promise<void> {
    const { userId, tokenId, scopes } = caller
    if (userId === null) throw new AppError('auth.required')
    if (![null, id].includes(tokenId) && !scopes.includes('account')) throw new AppError('auth.scope')
    if (!(await store.remove(id, userId))) throw new AppError('token.not_found')
    await audit({ action: 'token.deleted', caller, subject: id })
  }

  /**
   * Runs `make` at the cost of the caller's token, if they came with one: one secret of so many bytes. When it fails, or
   * `isNew` tells that what it answers was there before, that costs nothing. Throws AppError `token.used_up`.
   */
  async function spending<T>(
    { tokenId }: AuthContext,
    size: () => Promise<number>,
    make: () => Promise<T>,
    isNew: (made: T) => boolean,
  ): Promise<T> {
    if (tokenId === null) return make()
    const bytes = await size()
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

  return { create, identify, list, remove, spending }
}

/** A token has 256 bits of chance, so a fast hash is enough. */
const hashOf = (secret: string): string => createHash('sha256').update(`mayfly/v1/token${secret}`).digest('hex')

/** Of nothing. */
const NO_HASH = '0'.repeat(64)

const shown = ({ hash: _, userId: __, ...token }: ApiToken): Token => token

const invalid = (field: string, why: string) => new AppError('request.invalid', { field, message: `${field}: ${why}` })
