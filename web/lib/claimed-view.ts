/** The view of one secret by this tab: all of its requests, also after a reload, have the same claim. */
import type { SecretExists, ViewedSecret, ViewSecret } from '#shared/api'
import { ApiError, BadResponseError, createClient, isOutcomeUnknown } from '#shared/client/client'
import type { EpochMs } from '#shared/epoch-ms'
import { site } from './site.js'
import { readClaim, removeClaim, storeClaim } from './view-claims.js'

/** This tab opened the secret, or it sent a request for it whose outcome is not known. */
export interface EarlierAttempt {
  /** Until then another attempt uses no further view. Null: it may use one. */
  repeatableUntil: EpochMs | null
}

/** A view that was sent. */
export interface SentView {
  claim: string
  /** Time of its first request. */
  since: EpochMs
  /** Whether a reload of this tab can repeat it. */
  isStored: boolean
}

export type ClaimedView = ReturnType<typeof createClaimedView>

/** `freshClaim`: see `newClaim`. It is used when the tab has no claim for this secret. */
export function createClaimedView(id: string, { readGraceSeconds }: { readGraceSeconds: number }, freshClaim: string) {
  const periodMs = readGraceSeconds * 1000
  const stored = readClaim(id, periodMs, Date.now())
  const claim = stored?.claim ?? freshClaim
  let meta = stored?.meta ?? null
  let isStored = stored !== null
  /** Of the first request that may have been counted. */
  let since = stored?.since ?? null

  const repeatableUntil = () => (since !== null && Date.now() < since + periodMs ? since + periodMs : null)

  return {
    earlier: (): EarlierAttempt | null => (since === null ? null : { repeatableUntil: repeatableUntil() }),

    /**
     * Returns the result of `check`, or the facts before the earlier attempt after the last view and without a
     * connection.
     */
    async describe<Meta extends SecretExists | null>(check: () => Promise<Meta>): Promise<Meta | SecretExists> {
      try {
        return await check()
      } catch (error) {
        if (meta && repeatableUntil() !== null && (isGone(error) || isOutcomeUnknown(error))) return meta
        throw error
      }
    },

    /** Views the secret. Throws ApiError or NetworkError. `described`: kept for `describe`. */
    async request(proofs: Omit<ViewSecret, 'claim'>, described: SecretExists | null): Promise<ViewedSecret> {
      let mayBeCounted = since !== null
      if (repeatableUntil() === null) since = Date.now()
      meta = described
      if (periodMs > 0 && since !== null) isStored = storeClaim(id, { claim, since, meta })
      const onRetry = () => {
        mayBeCounted = true
      }
      try {
        const viewed = await createClient({ server: site.base, onRetry }).view(id, { ...proofs, claim })
        if (typeof viewed?.text !== 'string') throw new BadResponseError('the response contains no secret')
        return viewed
      } catch (error) {
        if (!mayBeCounted && !isOutcomeUnknown(error)) forget()
        throw error
      }
    },

    /** After `request`. */
    sent: (): SentView => ({ claim, since: since ?? Date.now(), isStored }),
    forget,
  }

  function forget(): void {
    since = null
    isStored = false
    removeClaim(id)
  }
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'secret.not_found'
