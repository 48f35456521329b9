import type { EpochMs } from '#shared/epoch-ms'
import { LABEL_MAX, storeLabel } from '../secret-labels.js'
import { sessionStore } from './session-store.js'

/** Labels a secret or request that the user has just created, for their list. Does nothing for visitors. */
export function labelCreated({ id, expiresAt }: { id: string; expiresAt: EpochMs }, label: string): void {
  if (sessionStore.current() === null || label === '') return
  storeLabel(id, { label: label.slice(0, LABEL_MAX), expiresAt }, Date.now())
}
