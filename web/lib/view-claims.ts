/**
 * Claims of views that this tab may repeat, in sessionStorage: until the view is acknowledged, or the server ends the
 * period of its claim. A claim is worth nothing without the link, whose key is never stored here.
 */
import type { SecretExists } from '#shared/api'
import type { EpochMs } from '#shared/epoch-ms'

const PREFIX = 'view-claim:'

export interface ViewClaim {
  /** See `newClaim`. */
  claim: string
  /** When it was sent for the first time. The period on the server ends later than one counted from here. */
  since: EpochMs
  /** The secret, as the server described it before the view; null: not known. */
  meta: SecretExists | null
}

/**
 * Null when there is none, its period (ms) is over, or storage is blocked. Removes the claims of all secrets that are
 * over.
 */
export function readClaim(id: string, periodMs: number, now: number): ViewClaim | null {
  try {
    for (const key of Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))) {
      if (!isOpen(parse(sessionStorage.getItem(key)), periodMs, now)) sessionStorage.removeItem(key)
    }
    return parse(sessionStorage.getItem(keyOf(id)))
  } catch {
    return null
  }
}

/** False when storage is blocked or full: then only this page can repeat the view. */
export function storeClaim(id: string, claim: ViewClaim): boolean {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(claim))
    return true
  } catch {
    return false
  }
}

export function removeClaim(id: string): void {
  try {
    sessionStorage.removeItem(keyOf(id))
  } catch {
    // Storage is blocked, so there is none.
  }
}

/** The id of a raw secret ends with its key. */
const keyOf = (id: string): string => PREFIX + id.replace(/~.*/, '')

function parse(stored: string | null): ViewClaim | null {
  try {
    const parsed = JSON.parse(stored ?? 'null')
    return typeof parsed?.claim === 'string' && Number.isFinite(parsed.since) ? parsed : null
  } catch {
    return null
  }
}

/** A clock that was set back makes a claim invalid: how old it is is not known then. */
const isOpen = (claim: ViewClaim | null, periodMs: number, now: number): boolean =>
  claim !== null && claim.since <= now && now < claim.since + periodMs
