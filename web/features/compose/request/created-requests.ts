import type { NotifyWarning } from '#shared/api'
import type { EpochMs } from '#shared/epoch-ms'

/** A created request with its two links. */
export interface CreatedRequestLinks {
  id: string
  expiresAt: EpochMs
  /** To send: lets its holder submit. */
  requestLink: string
  /** To keep: opens the submissions. The server never gets its fragment. */
  collectLink: string
  /** The collect link was copied or downloaded. */
  isSaved: boolean
  /** The collect link is kept in this browser. */
  isKept: boolean
  /** Why there is no e-mail about submissions at the moment. */
  notifyWarning?: NotifyWarning | undefined
}

/**
 * The requests that were created on this page, by id, for Back and Forward. Only in memory, as created-link.ts
 * explains.
 */
export const createdRequests = new Map<string, CreatedRequestLinks>()
