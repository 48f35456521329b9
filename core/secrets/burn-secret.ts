import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { isUsedUp } from '../contracts/secret-state.js'
import type { SecretMeta } from '../contracts/storage.js'
import { createEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import type { BurnSecret } from '../shared/api/index.js'
import { recordBurned } from './record-secret-event.js'
import { recordsEnds } from './retention.js'
import { hasProof, isAuthorized, isCreator, parseSecretRef, type SecretRef } from './secret-access.js'
import { burnedFacts } from './secret-facts.js'

/**
 * Deletes a secret, its files and their download tickets, also when its views are used up and readers still retry or
 * download. Throws AppError `secret.not_found`, the same for every reason.
 */
export async function burnSecret(
  app: App,
  id: string,
  { burnToken, access }: BurnSecret,
  caller: AuthContext,
): Promise<void> {
  const { settings, now } = app
  const store = app.storage.secrets
  const ref = parseSecretRef(id, access)
  const meta = await store.peekBurnable(ref.lookup, now())
  if (!meta || !canBurn(meta, ref, caller, burnToken)) throw new AppError('secret.not_found')
  const isRecorded = meta.ownerId !== null && recordsEnds(await settings.current())
  const events = createEvents(app, burnedFacts(meta))
  if (!(await store.burn({ id: meta.id, now: now(), events, recordsEnd: isRecorded })))
    throw new AppError('secret.not_found')
  app.background.cleanup.wipeSoon({ hasFiles: meta.files > 0 })
  await recordBurned(app, meta, caller)
}

function canBurn(meta: SecretMeta, ref: SecretRef, caller: AuthContext, burnToken: string | undefined): boolean {
  if (burnToken !== undefined && hasProof(meta.burnHash, burnToken)) return true
  if (isCreator(meta, caller) && caller.scopes.includes('account')) return true
  if (caller.scopes.includes('admin')) return true
  // A reader with the link must not end the download of another reader.
  if (isUsedUp(meta)) return false
  // Anyone can read a public secret without a proof, so access does not permit to delete it.
  return meta.accessHash !== null && isAuthorized(meta, ref, caller.address)
}
