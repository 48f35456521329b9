/** State of the page of a collect link. Nothing is sent before `load`. */
import { useEffect, useState } from 'react'
import type { CollectedRequest, PublicSettings } from '#shared/api'
import { parseCollectLink } from '#shared/parse-links'
import type { CollectLink } from '#shared/request-link'
import { requestCrypto, startRequestWorker } from '../../../crypto-worker/request-crypto.js'
import { forgetCollectLink } from '../../../lib/collect-links/kept-collect-links.js'
import { requestApi } from '../../../lib/request-api.js'
import { removeKeyFromUrl } from '../spent-link.js'
import { isGone, isTampered, useSubmissions } from './use-submissions.js'

export interface CollectedList extends CollectedRequest {
  /** null: none. */
  title: string | null
  /** The title was changed on the server. */
  isNoteTampered: boolean
}

export type CollectStep =
  | { at: 'broken' }
  | { at: 'closed'; isOpening: boolean; error: unknown }
  | { at: 'gone' }
  | { at: 'list'; list: CollectedList }
  /** The request was closed on this page. */
  | { at: 'ended' }

export type Collect = ReturnType<typeof useCollect>

interface Opened {
  url: string
  /** This browser keeps the link. */
  isKept: boolean
  isSpent: boolean
}

export function useCollect({ url, isKept, isSpent }: Opened, limits: PublicSettings['limits']) {
  const [link] = useState(() => readLink(url))
  const [isInBrowser, setInBrowser] = useState(isKept)
  const [step, setStep] = useState<CollectStep>(() => firstStep(link, isSpent))
  const submissions = useSubmissions(link, limits)
  const { setError } = submissions
  useEffect(() => {
    if (link) startRequestWorker()
  }, [link])

  async function load(): Promise<void> {
    if (!link) return
    setError(null)
    if (step.at === 'closed') setStep({ at: 'closed', isOpening: true, error: null })
    try {
      setStep({ at: 'list', list: await loadList(link) })
    } catch (error) {
      if (isGone(error)) {
        // A wrong link to the same request must not delete the right one.
        if (isKept) void forgetCollectLink(link.id)
        setStep({ at: 'gone' })
      } else if (step.at === 'list') setError(error)
      else setStep({ at: 'closed', isOpening: false, error })
    }
  }

  /** Burns the unopened submissions. */
  async function close(): Promise<void> {
    if (!link) return
    setError(null)
    try {
      await requestApi.close(link.id, await requestCrypto.collectProof(link.requestKey))
    } catch (error) {
      if (!isGone(error)) return setError(error)
    }
    void forgetCollectLink(link.id)
    removeKeyFromUrl()
    setStep({ at: 'ended' })
  }

  async function forget(): Promise<void> {
    if (!link) return
    await forgetCollectLink(link.id)
    setInBrowser(false)
  }

  return { ...submissions, step, isInBrowser, load, close, forget }
}

function readLink(url: string): CollectLink | null {
  try {
    return parseCollectLink(url)
  } catch {
    return null
  }
}

function firstStep(link: CollectLink | null, isSpent: boolean): CollectStep {
  if (isSpent) return { at: 'gone' }
  return link ? { at: 'closed', isOpening: false, error: null } : { at: 'broken' }
}

async function loadList(link: CollectLink): Promise<CollectedList> {
  const list = await requestApi.collect(link.id, await requestCrypto.collectProof(link.requestKey))
  if (list.note === null) return { ...list, title: null, isNoteTampered: false }
  try {
    const { title } = await requestCrypto.readNote(list.note, link.requestKey)
    return { ...list, title: title || null, isNoteTampered: false }
  } catch (error) {
    if (!isTampered(error)) throw error
    return { ...list, title: null, isNoteTampered: true }
  }
}
