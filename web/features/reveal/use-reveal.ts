/** State machine of the reveal page. Nothing uses up a view before `open`, and retries of `open` use the same claim. */
import { useEffect, useRef, useState } from 'react'
import type { SecretExists, ViewedSecret } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { accessProof, newClaim } from '#shared/crypto/keys'
import { isRawId, isSecretId, LinkError, type LinkProblem, parseFragment } from '#shared/link'
import { startCryptoWorker } from '../../crypto-worker/crypto-client.js'
import { api } from '../../lib/api.js'
import { loadFilesCard } from './files/load-files-card.js'
import { parsePastedKey } from './parse-pasted-key.js'
import { decryptView, deriveViewKeys, type RevealedSecret } from './revealed-content.js'
import { removeKeyFromUrl } from './spent-link.js'

export type Step =
  | { at: 'checking' }
  /** The link is malformed. No request was sent. */
  | { at: 'broken-link'; problem: LinkProblem }
  /** The request failed. */
  | { at: 'unchecked'; error: unknown }
  /** The secret exists. `meta` is null until the user has entered a key. */
  | { at: 'closed'; meta: SecretExists | null; isOpening: boolean; refusal: Refusal | null }
  | { at: 'gone'; isKeyTyped: boolean }
  /** The link has a key, but the server reports a secret that is not encrypted. Nothing more is sent or shown. */
  | { at: 'tampered' }
  | { at: 'revealed'; content: RevealedSecret }

/** Why `open` failed. No view was used, unless `isReceived`: then the page has the ciphertext. */
export type Refusal =
  | { of: 'key'; problem: LinkProblem }
  | { of: 'password'; isMissing: boolean; attemptsLeft: number | null }
  | { of: 'locked'; error: ApiError }
  | { of: 'opening'; error: unknown; isReceived: boolean }

export interface Reveal {
  step: Step
  check(): void
  open(typed: { key: string; password: string }): Promise<void>
}

interface Link {
  id: string
  /** From the URL; '' when it has none. */
  fragment: string
  /** This browser used the last view, so the page does not ask for a key. */
  isSpent: boolean
}

export function useReveal({ id, fragment, isSpent }: Link, maxTextBytes: number): Reveal {
  const [step, setStep] = useState<Step>({ at: 'checking' })
  const claim = useRef('')
  // Kept until it is decrypted, so that a failed decryption does not need another view.
  const received = useRef<ViewedSecret | null>(null)

  async function check(): Promise<void> {
    setStep({ at: 'checking' })
    claim.current = newClaim()
    try {
      const meta = await checkSecret(id, fragment, isSpent)
      if (meta && isTampered(meta, fragment)) return setStep({ at: 'tampered' })
      setStep({ at: 'closed', meta, isOpening: false, refusal: null })
      startCryptoWorker()
    } catch (error) {
      if (error instanceof LinkError) setStep({ at: 'broken-link', problem: error.problem })
      else if (isGone(error)) setStep({ at: 'gone', isKeyTyped: false })
      else setStep({ at: 'unchecked', error })
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the page is mounted again for another secret
  useEffect(() => void check(), [])

  async function open(typed: { key: string; password: string }): Promise<void> {
    if (step.at !== 'closed' || step.isOpening) return
    let { meta } = step
    const refuse = (refusal: Refusal | null) => setStep({ at: 'closed', meta, isOpening: false, refusal })
    setStep({ ...step, isOpening: true, refusal: null })
    try {
      const key = fragment || parsePastedKey(typed.key)
      const isFieldShown = meta !== null
      meta ??= await api.peek(id, accessProof(parseFragment(key)))
      if (isTampered(meta, key)) return setStep({ at: 'tampered' })
      if (meta.passwordRequired && !typed.password) {
        // Its field appears now: the user has made no mistake yet.
        return refuse(isFieldShown ? { of: 'password', isMissing: true, attemptsLeft: null } : null)
      }
      if (meta.files > 0) await loadFilesCard()
      const keys = await deriveViewKeys(meta.kind, key, typed.password)
      received.current ??= await api.view(id, { ...keys.proofs, claim: claim.current })
      const content = await decryptView(received.current, keys, maxTextBytes)
      received.current = null
      if (content.viewsLeft === 0) removeKeyFromUrl()
      setStep({ at: 'revealed', content })
      // Without the acknowledgement the server keeps the ciphertext until the grace period ends. No need to tell the user.
      api.ack(id, { ...(keys.proofs.access && { access: keys.proofs.access }), claim: claim.current }).catch(() => {})
    } catch (error) {
      if (isGone(error)) setStep({ at: 'gone', isKeyTyped: fragment === '' && typed.key !== '' })
      else refuse(toRefusal(error, received.current !== null))
    }
  }

  return { step, check: () => void check(), open }
}

/** Null: the server needs a key. Throws LinkError before any request. */
async function checkSecret(id: string, fragment: string, isSpent: boolean): Promise<SecretExists | null> {
  if (!isSecretId(id)) throw new LinkError('not-a-link')
  if (fragment) return api.peek(id, accessProof(parseFragment(fragment)))
  try {
    return await api.peek(id)
  } catch (error) {
    if (isGone(error) && !isRawId(id) && !isSpent) return null
    throw error
  }
}

/**
 * Only sealed secrets have keys. A server that reports another kind for a link with a key wants to read the password or to
 * replace the text.
 */
const isTampered = ({ kind }: SecretExists, key: string): boolean => key !== '' && kind !== 'sealed'

function toRefusal(error: unknown, isReceived: boolean): Refusal {
  if (error instanceof LinkError) return { of: 'key', problem: error.problem }
  if (error instanceof ApiError) {
    const { code, attemptsLeft = null } = error.body
    if (code === 'secret.password_required') return { of: 'password', isMissing: true, attemptsLeft }
    if (code === 'secret.password_wrong') return { of: 'password', isMissing: false, attemptsLeft }
    if (code === 'secret.locked') return { of: 'locked', error }
  }
  return { of: 'opening', error, isReceived }
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'secret.not_found'
