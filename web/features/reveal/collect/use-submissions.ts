/**
 * Opens and burns the submissions of a request. Retries of `open` use the same claim, also after a reload of the tab.
 */
import { useRef, useState } from 'react'
import type { CollectedRequest, PublicSettings } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { newClaim } from '#shared/crypto/keys'
import type { CollectLink } from '#shared/request-link'
import { requestCrypto } from '../../../crypto-worker/request-crypto.js'
import { JobError } from '../../../crypto-worker/rpc-client.js'
import { api } from '../../../lib/api.js'
import { type ClaimedView, createClaimedView, type EarlierAttempt } from '../../../lib/claimed-view.js'
import type { OpenedSecret } from '../opened-secret.js'
import { deleteDamaged, openSubmission } from './open-submission.js'

export type Submission = CollectedRequest['submissions'][number]

/** Facts about a submission that the list does not contain. */
export type Outcome = 'tampered' | 'forged' | 'gone' | 'burned' | OpenedSecret

/** Why the last action failed. `earlier`: null when no view was used. */
export interface CollectError {
  error: unknown
  earlier: EarlierAttempt | null
}

export function useSubmissions(link: CollectLink | null, limits: PublicSettings['limits']) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  /** The id of the submission that is being opened. */
  const [opening, setOpening] = useState<string | null>(null)
  /** Ids of submissions whose content was opened here before, under another id. */
  const [repeated, setRepeated] = useState<ReadonlySet<string>>(new Set())
  const [failure, setFailure] = useState<CollectError | null>(null)
  const views = useRef(new Map<string, ClaimedView>())
  /** Ids of the opened submissions by their tags: the first one with each tag. */
  const tags = useRef(new Map<string, string>())
  const setError = (error: unknown) => setFailure(error === null ? null : { error, earlier: null })
  const setOutcome = (id: string, outcome: Outcome) => setOutcomes((known) => new Map(known).set(id, outcome))

  function viewOf(id: string): ClaimedView {
    const view = views.current.get(id) ?? createClaimedView(id, limits, newClaim())
    views.current.set(id, view)
    return view
  }

  /** Resolves with whether it was opened. */
  async function open(submission: Submission): Promise<boolean> {
    if (!link || opening !== null) return false
    const { id } = submission
    const view = viewOf(id)
    setOpening(id)
    setError(null)
    try {
      const { opened, tag } = await openSubmission(submission, link, view, limits)
      if (isRepetition(tags.current, tag, id)) setRepeated((known) => new Set(known).add(id))
      setOutcome(id, opened)
      return true
    } catch (error) {
      if (isTampered(error)) {
        if (error.problem !== 'too-large') void deleteDamaged(id, link, view)
        setOutcome(id, isForged(error) ? 'forged' : 'tampered')
      } else if (isGone(error)) setOutcome(id, 'gone')
      else setFailure({ error, earlier: view.earlier() })
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

  /** Whether this tab opened or tried to open it, and can open it again without a further view. */
  const isRepeatable = (id: string) => viewOf(id).earlier()?.repeatableUntil != null

  return { outcomes, repeated, opening, failure, setError, open, burn, isRepeatable }
}

/** Whether another submission with this tag was opened before. Adds the first one. */
function isRepetition(tags: Map<string, string>, tag: string, id: string): boolean {
  const first = tags.get(tag) ?? id
  tags.set(tag, first)
  return first !== id
}

export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'secret_request.not_found' || error.code === 'secret.not_found')

/** Made without the request link. */
const isForged = (error: JobError): boolean => error.name === 'RequestTamperedError' && error.problem === 'forged'

/** Changed by the server, of another request, or encrypted in another way. */
export const isTampered = (error: unknown): error is JobError =>
  error instanceof JobError && (error.name === 'RequestTamperedError' || error.name === 'DecryptError')
