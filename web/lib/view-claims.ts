/**
 * Claims of views that this tab may repeat, in sessionStorage: until the view is acknowledged, or the server ends the
 * period of its claim. A claim is worth nothing without the link, whose key is never stored here.
 */
import type { SecretExists } from '#shared/api'
import type { EpochMs } from '#shared/epoch-ms'
import { readJson, storeJson } from './stored-json.js'

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
  for (const key of listKeys()) {
    if (!isOpen(read(key), periodMs, now)) storeJson('sessionStorage', key, null)
  }
  return read(keyOf(id))
}

/** False when storage is blocked or full: then only this page can repeat the view. */
export const storeClaim = (id: string, claim: ViewClaim): boolean => storeJson('sessionStorage', keyOf(id), claim)

export const removeClaim = (id: string): boolean => storeJson('sessionStorage', keyOf(id), null)

/** Empty when storage is blocked. */
function listKeys(): string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
  } catch {
    return []
  }
}

/** The id of a raw secret ends with its key. */
const keyOf = (id: string): string => PREFIX + id.replace(/~.*/, '')

function read(key: string): ViewClaim | null {
  const { claim, since, meta } = Object(readJson('sessionStorage', key))
  return typeof claim === 'string' && Number.isFinite(since) ? { claim, since, meta } : null
}

/** A clock that was set back makes a claim invalid: how old it is is not known then. */
const isOpen = (claim: ViewClaim | null, periodMs: number, now: number): boolean =>
  claim !== null && claim.since <= now && now < claim.since + periodMs
