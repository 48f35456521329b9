import type { AuthContext } from '../contracts/auth-context.js'
import { isUsedUp } from '../contracts/secret-state.js'
import type { SecretMeta } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import type { BurnSecret } from '../shared/api/index.js'
import { burnedEvents } from './durable-secret-events.js'
import { recordsEnds } from './retention.js'
import { hasProof, isAuthorized, isCreator, parseSecretRef, type SecretRef } from './secret-access.js'
import type { SecretDeps } from './secret-deps.js'

/**
 * Deletes a secret, its files and their download tickets, also when its views are used up and readers still retry or download.
 * Throws AppError `secret.not_found`, the same for every reason.
 */
export async function burnSecret(
  { store, instance, recorder, events, now, tidyUp }: SecretDeps,
  id: string,
  { burnToken, access }: BurnSecret,
  caller: AuthContext,
): Promise<void> {
  const ref = parseSecretRef(id, access)
  const meta = await store.peekBurnable(ref.lookup, now())
  if (!meta || !canBurn(meta, ref, caller, burnToken)) throw new AppError('secret.not_found')
  const isRecorded = meta.ownerId !== null && recordsEnds(await instance.current())
  if (!(await store.burn(meta.id, now(), burnedEvents(events, meta), isRecorded)))
    throw new AppError('secret.not_found')
  tidyUp({ hasFiles: meta.files > 0 })
  await recorder.recordBurned(meta, caller)
}

function canBurn(meta: SecretMeta, ref: SecretRef, caller: AuthContext, burnToken: string | undefined): boolean {
  if (burnToken !== undefined && hasProof(meta.burnHash, burnToken)) return true
  if (isCreator(meta, caller) && caller.scopes.includes('account')) return true
  if (caller.scopes.includes('admin')) return true
  // A reader with the link must not end the download of another one.
  if (isUsedUp(meta)) return false
  // Anyone can read a public secret without a proof, so access is no permission to delete it.
  return meta.accessHash !== null && isAuthorized(meta, ref, caller.address)
}
