/** A created request with its two links. */
export interface CreatedRequestLinks {
  id: string
  /** Epoch ms. */
  expiresAt: number
  /** To send: lets its holder submit. */
  requestLink: string
  /** To keep: opens the submissions. The server never gets its fragment. */
  collectLink: string
  /** The collect link was copied or downloaded. */
  isSaved: boolean
}

/** The requests that were created on this page, by id, for Back and Forward. Only in memory, as created-link.ts explains. */
export const createdRequests = new Map<string, CreatedRequestLinks>()

// A page restored from the back/forward cache must not show a collect link.
addEventListener('pagehide', () => createdRequests.clear())
