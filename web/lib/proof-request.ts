/**
 * Asks the user to prove who they are, before an API request that needs a recent proof. One dialog for all requests
 * that wait.
 */
import { useSyncExternalStore } from 'react'

export interface ProofRequest {
  /** False: the user cancelled. */
  settle(isProven: boolean): void
  /** The dialog could not be shown. */
  fail(error: unknown): void
}

let open: (ProofRequest & { outcome: Promise<boolean> }) | null = null
const listeners = new Set<() => void>()

/** Opens the dialog. Resolves to false when the user cancels, and on pages without the dialog. */
export function requestProof(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  open ??= createRequest()
  notify()
  return open.outcome
}

/** The request whose dialog has to be open; null: none. */
export const useProofRequest = (): ProofRequest | null => useSyncExternalStore(subscribe, () => open)

function createRequest(): NonNullable<typeof open> {
  let settle: ProofRequest['settle'] = () => {}
  let fail: ProofRequest['fail'] = () => {}
  const outcome = new Promise<boolean>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  return { outcome: outcome.finally(close), settle, fail }
}

function close(): void {
  open = null
  notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}
