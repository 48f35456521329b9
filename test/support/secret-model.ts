/** Reference model of secrets and uploads, written from the rules of the API and without any code of the product. */

const MINUTE = 60_000
const GRACE_MS = MINUTE
const TICKET_MS = 15 * MINUTE
const LOCK_MS = 15 * MINUTE
const ATTEMPTS = 10
const UPLOAD_MS = 60 * MINUTE

/** A view of one reader: `claim` is sent with it and with each retry. */
interface ModelClaim {
  openUntil: number
  isAcknowledged: boolean
  /** Deleted by a cleanup after the grace period, so that it cannot be acknowledged. */
  isForgotten: boolean
  /** Times at which the claim was counted: a retry after the grace period counts again. */
  counted: number
}

export interface ModelSecret {
  expiresAt: number
  /** Null: unlimited. */
  viewsLeft: number | null
  hasPassword: boolean
  hasFile: boolean
  isBurned: boolean
  failures: number
  lockedUntil: number
  locks: number
  claims: Map<string, ModelClaim>
  /** End of the download ticket of each claim. */
  tickets: Map<string, number>
}

export interface ModelUpload {
  endsAt: number
  isAttached: boolean
}

/** Expected response: the status, the code of an error, and fields of the body. */
export interface Expected {
  status: number
  code?: string
  fields?: Record<string, unknown>
}

const NOT_FOUND: Expected = { status: 404, code: 'secret.not_found' }

export function newSecret(
  options: Pick<ModelSecret, 'viewsLeft' | 'hasPassword' | 'hasFile'>,
  now: number,
  ttlMs: number,
): ModelSecret {
  return {
    ...options,
    expiresAt: now + ttlMs,
    isBurned: false,
    failures: 0,
    lockedUntil: 0,
    locks: 0,
    claims: new Map(),
    tickets: new Map(),
  }
}

export const newUpload = (now: number): ModelUpload => ({ endsAt: now + UPLOAD_MS, isAttached: false })

export const canAttach = (upload: ModelUpload, now: number): boolean => !upload.isAttached && upload.endsAt > now

const isLive = (secret: ModelSecret, now: number): boolean => !secret.isBurned && secret.expiresAt > now

const isOpen = (secret: ModelSecret, now: number): boolean => isLive(secret, now) && secret.viewsLeft !== 0

const isClaimOpen = (claim: ModelClaim | undefined, now: number): boolean =>
  claim !== undefined && !claim.isAcknowledged && claim.openUntil > now

export function peek(secret: ModelSecret, now: number): Expected {
  if (!isOpen(secret, now)) return NOT_FOUND
  return { status: 200, fields: { maxViews: secret.viewsLeft, passwordRequired: secret.hasPassword } }
}

/** `password`: as the reader typed it. A password for a secret without one is ignored. */
export function view(
  secret: ModelSecret,
  { claim, password }: { claim: string; password: 'right' | 'wrong' | 'none' },
  now: number,
): Expected {
  const known = secret.claims.get(claim)
  const isRetry = isClaimOpen(known, now)
  if (!isLive(secret, now) || (secret.viewsLeft === 0 && !isRetry)) return NOT_FOUND
  if (secret.hasPassword && secret.lockedUntil > now) return lockedResponse(secret, now)
  if (secret.hasPassword && password !== 'right') return failPassword(secret, password, now)
  if (isRetry) return { status: 200, fields: { maxViews: secret.viewsLeft } }
  if (known?.isAcknowledged) return NOT_FOUND
  countView(secret, claim, now)
  return { status: 200, fields: { maxViews: secret.viewsLeft } }
}

/** Tells how many seconds the lock lasts, rounded up. */
const lockedResponse = ({ lockedUntil }: ModelSecret, now: number): Expected => ({
  status: 423,
  code: 'secret.locked',
  fields: { retryAfter: Math.ceil((lockedUntil - now) / 1000) },
})

function failPassword(secret: ModelSecret, password: 'wrong' | 'none', now: number): Expected {
  if (password === 'none') {
    return { status: 401, code: 'secret.password_required', fields: { attemptsLeft: ATTEMPTS - secret.failures } }
  }
  // A retry of the last view: the secret has no views for which the password could be guessed.
  if (secret.viewsLeft === 0) return { status: 401, code: 'secret.password_wrong' }
  secret.failures += 1
  const attemptsLeft = ATTEMPTS - secret.failures
  if (attemptsLeft === 0) {
    secret.failures = 0
    secret.lockedUntil = now + LOCK_MS * 2 ** secret.locks
    secret.locks += 1
  }
  return { status: 401, code: 'secret.password_wrong', fields: { attemptsLeft } }
}

function countView(secret: ModelSecret, claim: string, now: number): void {
  if (secret.viewsLeft !== null) secret.viewsLeft -= 1
  secret.failures = 0
  secret.lockedUntil = 0
  secret.locks = 0
  const counted = (secret.claims.get(claim)?.counted ?? 0) + 1
  secret.claims.set(claim, { openUntil: now + GRACE_MS, isAcknowledged: false, isForgotten: false, counted })
  if (secret.hasFile && counted === 1) secret.tickets.set(claim, Math.min(now + TICKET_MS, secret.expiresAt))
}

export function acknowledge(secret: ModelSecret, claim: string, now: number): Expected {
  const known = secret.claims.get(claim)
  if (!isLive(secret, now) || (secret.viewsLeft === 0 && !isClaimOpen(known, now))) return NOT_FOUND
  if (known && !known.isForgotten) known.isAcknowledged = true
  return { status: 204 }
}

/**
 * Deletes the claims whose grace period ended without an acknowledgement. Everything else that it deletes, no request
 * can reach.
 */
export function cleanUp(secret: ModelSecret, now: number): void {
  for (const claim of secret.claims.values()) claim.isForgotten ||= !claim.isAcknowledged && claim.openUntil <= now
}

/**
 * The only response to a burn that is allowed in this state, or null when there is something left that a burn may end.
 */
export function burnResponse(secret: ModelSecret, now: number): Expected | null {
  if (isOpen(secret, now)) return { status: 200, fields: { burned: true } }
  const hasTicket = [...secret.tickets.values()].some((end) => end > now)
  const hasClaim = [...secret.claims.values()].some((claim) => isClaimOpen(claim, now))
  return isLive(secret, now) && (hasTicket || hasClaim) ? null : NOT_FOUND
}

export function markBurned(secret: ModelSecret): void {
  secret.isBurned = true
  secret.tickets.clear()
}

/** True while the ticket of a claim downloads the file. */
export const isTicketValid = (secret: ModelSecret, claim: string, now: number): boolean =>
  (secret.tickets.get(claim) ?? 0) > now
