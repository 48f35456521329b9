/**
 * State machine of the reveal page. Nothing uses up a view before `open`, and every `open` sends the same claim until
 * the view is acknowledged, also after a reload of the tab.
 */
import { useEffect, useRef, useState } from 'react'
import type { PublicSettings, SecretExists, ViewedSecret, ViewSecret } from '#shared/api'
import { ApiError, createClient } from '#shared/client/client'
import { requestCode } from '#shared/client/request-code'
import { limitResponses } from '#shared/client/response-limit'
import { accessProof, newClaim } from '#shared/crypto/keys'
import { isPossibleKind, isRawId, isSecretId, KEYLESS, LinkError, type LinkProblem, parseFragment } from '#shared/link'
import { parsePastedKey } from '#shared/pasted-key'
import { JobError, startCryptoWorker } from '../../crypto-worker/crypto-client.js'
import { type ClaimedView, createClaimedView, type EarlierAttempt } from '../../lib/claimed-view.js'
import { site } from '../../lib/site.js'
import { takeEarlyResponse } from './early-check.js'
import { takeEarlyClick } from './early-form.js'
import { filesCardPart } from './files/files-card-part.js'
import { createOpenedSecret, type OpenedSecret } from './opened-secret.js'
import { decryptView, deriveViewKeys } from './revealed-content.js'
import { isSpent as isSpentEntry, moveKeyToEntry, removeKeyFromUrl } from './spent-link.js'

export type Step =
  | { at: 'checking' }
  /** The link is malformed. No request was sent. */
  | { at: 'broken-link'; problem: LinkProblem }
  /** The request failed. */
  | { at: 'unchecked'; error: unknown }
  /** The secret exists. `meta` is null until the user has entered a key. */
  | {
      at: 'closed'
      meta: SecretExists | null
      isOpening: boolean
      refusal: Refusal | null
      earlier: EarlierAttempt | null
    }
  | { at: 'gone'; isKeyTyped: boolean; why: GoneReason }
  /** The server reports a kind of secret that the link cannot open. Nothing more is sent or shown. */
  | { at: 'tampered' }
  | { at: 'revealed'; opened: OpenedSecret }

export type GoneReason = 'unknown' | 'opened-here' | 'maybe-opened-here'

/** Why `open` failed. `isReceived`: the page has the ciphertext. */
export type Refusal =
  | { of: 'key'; problem: LinkProblem }
  | { of: 'password'; isMissing: boolean; attemptsLeft: number | null }
  | { of: 'code'; isMissing: boolean }
  | { of: 'locked'; error: ApiError }
  | { of: 'opening'; error: unknown; isReceived: boolean }

export interface Reveal {
  step: Step
  check(): void
  open(typed: Typed): Promise<void>
  /** Asks for a code for a named recipient. Throws LinkError or ApiError. */
  sendCode(email: string, key: string): Promise<void>
}

export interface Typed {
  key: string
  password: string
  /** Of a named recipient. */
  code: string
}

interface Link {
  id: string
  /** From the URL; '' when it has none, KEYLESS when the key is sent separately. */
  fragment: string
  /** From the history entry, see spent-link.ts. */
  entryKey: string
  /** This browser used the last view, so the page does not ask for a key. */
  isSpent: boolean
}

export function useReveal(link: Link, limits: PublicSettings['limits']): Reveal {
  const { id, fragment: marker, isSpent } = link
  const { step, setStep, view, fragment, forgetKey, showGone, close } = useStep(link, limits)
  const { receive, received, isDamaged } = useReceived(view)

  async function check(): Promise<void> {
    setStep({ at: 'checking' })
    if (view.earlier() === null) forgetKey()
    try {
      const needsKey = marker === KEYLESS && fragment === '' && isSecretId(id)
      const isEnded = isSpent && view.earlier() === null
      const meta = needsKey ? null : await view.describe(() => checkSecret(id, fragment, isEnded))
      if (meta && !isPossibleKind(meta.kind, id, fragment)) return setStep({ at: 'tampered' })
      // Facts from before an earlier attempt do not replace the key.
      close(meta?.kind === 'sealed' && fragment === '' ? null : meta)
      startCryptoWorker()
    } catch (error) {
      if (error instanceof LinkError) setStep({ at: 'broken-link', problem: error.problem })
      else if (isGone(error)) showGone(false)
      else setStep({ at: 'unchecked', error })
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the page is mounted again for another secret
  useEffect(() => {
    if (step.at === 'checking') return void check()
    startCryptoWorker()
    if (takeEarlyClick()) void open({ key: '', password: '', code: '' })
  }, [])

  async function open(typed: Typed): Promise<void> {
    if (step.at !== 'closed' || step.isOpening) return
    let { meta } = step
    setStep({ ...step, isOpening: true, refusal: null })
    try {
      const key = fragment || parsePastedKey(typed.key)
      const isFieldShown = meta !== null
      meta ??= await view.describe(() => peek(id, accessProof(parseFragment(key))))
      if (!isPossibleKind(meta.kind, id, key)) return setStep({ at: 'tampered' })
      if (meta.passwordRequired && !typed.password) {
        // Its field appears now: the user has made no mistake yet.
        return close(meta, isFieldShown ? { of: 'password', isMissing: true, attemptsLeft: null } : null)
      }
      // An earlier attempt may have used its code: then its claim is enough.
      if (meta.codeRequired && !typed.code && !view.earlier()) return close(meta, { of: 'code', isMissing: true })
      if (meta.files > 0) await filesCardPart.load()
      const keys = await deriveViewKeys(meta.kind, key, typed.password)
      const viewed = await receive({ ...keys.proofs, ...(typed.code && { code: typed.code }) }, meta)
      if (keys.passphrase === null && !isPossibleKind(viewed.kind, id, key)) return setStep({ at: 'tampered' })
      const content = await decryptView(viewed, keys, limits.maxTextBytes)
      received.current = null
      if (content.viewsLeft === 0) moveKeyToEntry(key)
      const opened = createOpenedSecret(content, keys.proofs.access, view.sent(), limits, forgetKey)
      setStep({ at: 'revealed', opened })
    } catch (error) {
      if (isGone(error)) return showGone(fragment === '' && typed.key !== '')
      // It may have been changed on the way: the next attempt requests it again, while that uses no further view.
      isDamaged.current = isUndecryptable(error) && view.earlier()?.repeatableUntil !== null
      close(meta, toRefusal(error, received.current !== null))
    }
  }

  async function sendCode(email: string, typedKey: string): Promise<void> {
    const key = fragment || (isRawId(id) ? '' : parsePastedKey(typedKey))
    await requestCode({ server: site.base }, id, { email, ...(key && { access: accessProof(parseFragment(key)) }) })
  }

  return { step, check: () => void check(), open, sendCode }
}

function useStep({ id, fragment: marker, entryKey, isSpent }: Link, limits: PublicSettings['limits']) {
  const [view] = useState(() => createClaimedView(id, limits, newClaim()))
  const [fragment] = useState(() => (marker === KEYLESS ? '' : marker) || (view.earlier() ? entryKey : ''))
  const [pathname] = useState(() => location.pathname)
  const [step, setStep] = useState<Step>(() => {
    const meta = takeEarlyMeta(location)
    return meta ? { at: 'closed', meta, isOpening: false, refusal: null, earlier: view.earlier() } : { at: 'checking' }
  })

  /** The user may be on another page when this tab can no longer open the secret. */
  const forgetKey = () => {
    if (location.pathname === pathname && isSpentEntry(history.state?.usr)) removeKeyFromUrl()
  }
  const showGone = (isKeyTyped: boolean) => {
    const why = isSpent ? 'opened-here' : view.earlier() ? 'maybe-opened-here' : 'unknown'
    setStep({ at: 'gone', isKeyTyped, why })
    view.forget()
    forgetKey()
  }
  const close = (meta: SecretExists | null, refusal: Refusal | null = null) =>
    setStep({ at: 'closed', meta, isOpening: false, refusal, earlier: view.earlier() })
  return { step, setStep, view, fragment, forgetKey, showGone, close }
}

/** The response, kept until it is decrypted, so that a failed decryption does not need another view. */
function useReceived(view: ClaimedView) {
  const received = useRef<ViewedSecret | null>(null)
  const isDamaged = useRef(false)

  async function receive(proofs: Omit<ViewSecret, 'claim'>, meta: SecretExists): Promise<ViewedSecret> {
    const earlier = received.current
    if (earlier && !isDamaged.current) return earlier
    try {
      received.current = await view.request(proofs, meta)
      return received.current
    } catch (error) {
      if (earlier) return earlier
      throw error
    }
  }
  return { receive, received, isDamaged }
}

const fetchEarlyOrNow = limitResponses((url, init) => takeEarlyResponse(url, init) ?? fetch(url, init))
const { peek } = createClient({ server: site.base, fetch: fetchEarlyOrNow })

let early: { href: string; meta: SecretExists } | null = null

/** Uses the response to the early check for the first step of the page at this address. */
export async function checkEarly({ href, pathname, hash }: Location): Promise<void> {
  const id = pathname.split('/').at(-1) ?? ''
  const meta = await checkSecret(id, hash.slice(1), false).catch(() => null)
  early = meta?.kind === 'sealed' ? { href, meta } : null
}

function takeEarlyMeta({ href }: Location): SecretExists | null {
  const meta = early?.href === href ? early.meta : null
  early = null
  return meta
}

/** Null: the server needs a key. Throws LinkError before any request. */
async function checkSecret(id: string, fragment: string, isSpent: boolean): Promise<SecretExists | null> {
  if (!isSecretId(id)) throw new LinkError('not-a-link')
  if (fragment) return peek(id, accessProof(parseFragment(fragment)))
  try {
    return await peek(id)
  } catch (error) {
    if (isGone(error) && !isRawId(id) && !isSpent) return null
    throw error
  }
}

function toRefusal(error: unknown, isReceived: boolean): Refusal {
  if (error instanceof LinkError) return { of: 'key', problem: error.problem }
  if (error instanceof ApiError) {
    const { code, attemptsLeft = null } = error.body
    if (code === 'secret.password_required') return { of: 'password', isMissing: true, attemptsLeft }
    if (code === 'secret.password_wrong') return { of: 'password', isMissing: false, attemptsLeft }
    if (code === 'secret.code_required') return { of: 'code', isMissing: true }
    if (code === 'secret.code_wrong') return { of: 'code', isMissing: false }
    if (code === 'secret.locked') return { of: 'locked', error }
  }
  return { of: 'opening', error, isReceived }
}

const isUndecryptable = (error: unknown): boolean => error instanceof JobError && error.name === 'DecryptError'

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'secret.not_found'
