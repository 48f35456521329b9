/** A secret that was opened on this page: which of its parts the user saved, and whether this tab can open it again. */
import { useSyncExternalStore } from 'react'
import { acknowledge as sendAcknowledgement } from '#shared/client/viewed-content'
import type { EpochMs } from '#shared/epoch-ms'
import { api } from '../../lib/api.js'
import type { SentView } from '../../lib/claimed-view.js'
import { removeClaim } from '../../lib/view-claims.js'
import type { RevealedSecret } from './revealed-content.js'

/** The text among the parts of a secret; the others are files, by id. */
export const TEXT_PART = 'text'

export interface OpenedState {
  saved: ReadonlySet<string>
  isBurned: boolean
  /** This tab can open the secret again until then. Null: it cannot. */
  openableUntil: EpochMs | null
  /** A file is being downloaded. */
  isTransferring: boolean
}

export interface OpenedSecret {
  content: RevealedSecret
  /** The files can be downloaded until then. */
  filesUntil: EpochMs
  state(): OpenedState
  subscribe(listener: () => void): () => void
  /**
   * These parts are on the clipboard or were handed to the downloads of the browser. Acknowledges the view with the
   * last one.
   */
  markSaved(parts: string[]): void
  setTransferring(isTransferring: boolean): void
  /** After the server deleted it. */
  markBurned(): void
  /**
   * Acknowledges the view, so that the server deletes a used-up secret at once. Rejects with ApiError or NetworkError.
   */
  acknowledge(): Promise<void>
}

interface Periods {
  readGraceSeconds: number
  downloadGraceSeconds: number
}

/** `access`: the proof for the acknowledgement. `forget`: called when this tab can no longer open it. */
export function createOpenedSecret(
  content: RevealedSecret,
  access: string | undefined,
  { claim, since, isStored }: SentView,
  periods: Periods,
  forget: () => void = () => {},
): OpenedSecret {
  const listeners = new Set<() => void>()
  const until = since + periods.readGraceSeconds * 1000
  const canRepeat = isStored && until > Date.now()
  let state: OpenedState = {
    saved: new Set(),
    isBurned: false,
    openableUntil: canRepeat ? until : null,
    isTransferring: false,
  }
  let sending: Promise<void> | null = null

  const change = (changed: Partial<OpenedState>) => {
    state = { ...state, ...changed }
    for (const listener of listeners) listener()
  }
  const end = (changed: Partial<OpenedState> = {}) => {
    clearTimeout(timer)
    removeClaim(content.id)
    forget()
    change({ ...changed, openableUntil: null })
  }
  const timer = setTimeout(() => end(), until - Date.now())
  const acknowledge = (): Promise<void> => {
    sending ??= sendAcknowledgement(api, content.id, { ...(access !== undefined && { access }), claim })
      .then(() => end())
      .catch((error) => {
        sending = null
        throw error
      })
    return sending
  }
  // Without the acknowledgement the server keeps the ciphertext until the period ends. No need to tell the user.
  const acknowledgeSilently = () => void acknowledge().catch(() => {})
  // Nothing could repeat the view.
  if (!canRepeat) acknowledgeSilently()

  return {
    content,
    filesUntil: since + periods.downloadGraceSeconds * 1000,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    markSaved(parts) {
      change({ saved: new Set([...state.saved, ...parts]) })
      if (partsOf(content).every((part) => state.saved.has(part)) && state.openableUntil !== null) acknowledgeSilently()
    },
    setTransferring: (isTransferring) => change({ isTransferring }),
    markBurned: () => end({ isBurned: true }),
    acknowledge,
  }
}

export const useOpenedState = ({ state, subscribe }: OpenedSecret): OpenedState =>
  useSyncExternalStore(subscribe, state)

/** Whether leaving the page would lose parts of it: the server deletes it, and they were not saved. */
export function hasUnsavedParts({ content, filesUntil, state }: OpenedSecret): boolean {
  const { saved, isBurned } = state()
  const isOnlyCopy = content.viewsLeft === 0 || isBurned
  const savable = partsOf(content).filter((part) => part === TEXT_PART || (!isBurned && Date.now() < filesUntil))
  return isOnlyCopy && savable.some((part) => !saved.has(part))
}

function partsOf({ text, files }: RevealedSecret): string[] {
  const ids = files.filter(({ ticket }) => ticket !== null).map(({ id }) => id)
  return text === '' ? ids : [TEXT_PART, ...ids]
}
