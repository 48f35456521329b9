/** Opens and burns the submissions of a request. Retries of `open` use the same claim. */
import { useRef, useState } from 'react'
import type { CollectedRequest } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { newClaim } from '#shared/crypto/keys'
import type { CollectLink } from '#shared/request-link'
import { requestCrypto } from '../../../crypto-worker/request-crypto.js'
import { JobError } from '../../../crypto-worker/rpc-client.js'
import { api } from '../../../lib/api.js'
import type { RevealedSecret } from '../revealed-content.js'
import { openSubmission } from './open-submission.js'

export type Submission = CollectedRequest['submissions'][number]

/** What this page knows of a submission and the list does not. */
export type Outcome = 'tampered' | 'gone' | 'burned' | RevealedSecret

export function useSubmissions(link: CollectLink | null, maxTextBytes: number) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  /** The id of the submission that is being opened. */
  const [opening, setOpening] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const claims = useRef(new Map<string, string>())
  const setOutcome = (id: string, outcome: Outcome) => setOutcomes((known) => new Map(known).set(id, outcome))

  /** Resolves with whether it was opened. */
  async function open(submission: Submission): Promise<boolean> {
    if (!link || opening !== null) return false
    const { id } = submission
    const claim = claims.current.get(id) ?? newClaim()
    claims.current.set(id, claim)
    setOpening(id)
    setError(null)
    try {
      setOutcome(id, await openSubmission(submission, link, { claim, maxTextBytes }))
      return true
    } catch (error) {
      if (isTampered(error)) setOutcome(id, 'tampered')
      else if (isGone(error)) setOutcome(id, 'gone')
      else setError(error)
      return false
    } finally {
      setOpening(null)
    }
  }

  async function burn({ id }: Submission): Promise<void> {
    if (!link) return
    setError(null)
    try {
      await api.burn(id, { access: await requestCrypto.collectProof(link.requestKey) })
      setOutcome(id, 'burned')
    } catch (error) {
      if (isGone(error)) setOutcome(id, 'gone')
      else setError(error)
    }
  }

  return { outcomes, opening, error, setError, open, burn }
}

export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'secret_request.not_found' || error.code === 'secret.not_found')

/** Changed by the server, of another request, or encrypted in another way. */
export const isTampered = (error: unknown): boolean =>
  error instanceof JobError && (error.name === 'RequestTamperedError' || error.name === 'DecryptError')
