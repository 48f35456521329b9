/** State of the page of a request link. Nothing is sent before `open`. */
import { useEffect, useState } from 'react'
import type { OpenedRequest } from '#shared/api'
import { ApiError } from '#shared/client/client'
import type { RequestNote } from '#shared/crypto/request-note'
import { parseRequestLink } from '#shared/parse-links'
import type { RequestLink } from '#shared/request-link'
import { requestCrypto, startRequestWorker } from '../../../crypto-worker/request-crypto.js'
import { JobError } from '../../../crypto-worker/rpc-client.js'
import { requestApi } from '../../../lib/request-api.js'

/** A request whose recipient matches the link. */
export interface AnsweredRequest extends OpenedRequest {
  link: RequestLink
  submitProof: string
  /** Title and instructions. */
  text: RequestNote | null
}

export type RespondStep =
  | { at: 'broken' }
  | { at: 'closed'; isOpening: boolean; error: unknown }
  | { at: 'gone' }
  /** The recipient differs from the link, or the note was changed. Nothing was encrypted. */
  | { at: 'tampered' }
  | { at: 'open'; request: AnsweredRequest }
  /** `expiresAt`: of the submission. */
  | { at: 'sent'; request: AnsweredRequest; expiresAt: number }

export function useRespond(url: string) {
  const [link] = useState(() => readLink(url))
  const [step, setStep] = useState<RespondStep>(
    link ? { at: 'closed', isOpening: false, error: null } : { at: 'broken' },
  )
  useEffect(() => {
    if (link) startRequestWorker()
  }, [link])

  async function open(): Promise<void> {
    if (!link) return
    setStep({ at: 'closed', isOpening: true, error: null })
    try {
      setStep({ at: 'open', request: await openRequest(link) })
    } catch (error) {
      if (isGone(error)) setStep({ at: 'gone' })
      else if (isTampered(error)) setStep({ at: 'tampered' })
      else setStep({ at: 'closed', isOpening: false, error })
    }
  }

  return {
    step,
    open,
    sent: (request: AnsweredRequest, expiresAt: number) => setStep({ at: 'sent', request, expiresAt }),
    /** Asks the server again: others may have submitted meanwhile. */
    again: open,
  }
}

function readLink(url: string): RequestLink | null {
  try {
    return parseRequestLink(url)
  } catch {
    return null
  }
}

async function openRequest(link: RequestLink): Promise<AnsweredRequest> {
  const submitProof = await requestCrypto.submitProof(link.shareSecret)
  const opened = await requestApi.open(link.id, submitProof)
  const text = await requestCrypto.readRequest(opened, link)
  return { ...opened, link, submitProof, text }
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'secret_request.not_found'

const isTampered = (error: unknown): boolean =>
  error instanceof JobError && (error.name === 'RequestTamperedError' || error.name === 'DecryptError')
