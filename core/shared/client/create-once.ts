/** Creates secrets and submissions once, also with retries. */
import type { CreatedSecret, CreatedSubmission, CreateSecret, CreateSubmission } from '../api/index.js'
import { newClaim } from '../crypto/keys.js'
import type { Client } from './client.js'
import type { RequestClient } from './request-client.js'
import { type RetryOptions, withRetry } from './retry.js'

/** Sends a request. Calling it again, also after an error, creates nothing else: the idempotency key is the same. */
export type CreateOnce<Created> = (options?: RetryOptions) => Promise<Created>

/** Returns a function that creates the secret. It throws ApiError, NetworkError or the reason of the signal. */
export function createSecretOnce(client: Pick<Client, 'create'>, body: CreateSecret): CreateOnce<CreatedSecret> {
  const key = newClaim()
  const hasFiles = (body.files ?? []).length > 0
  return (options = {}) => {
    const create = () => client.create(body, key, options.signal)
    // Retries for longer, because an upload of minutes would be lost.
    return hasFiles ? withRetry(create, options) : create()
  }
}

/**
 * After an abort: the server may have stored a secret although its response was not awaited. The same request with the
 * same key returns it, and then it is burned. Best effort: no one has the link.
 */
export async function burnAfterAbort(client: Pick<Client, 'burn'>, create: CreateOnce<CreatedSecret>): Promise<void> {
  try {
    const { id, burnToken } = await create({ retryForMs: 0 })
    await client.burn(id, { burnToken })
  } catch {}
}

/** Returns a function that submits to a request. It throws ApiError, NetworkError or the reason of the signal. */
export function submitOnce(
  requests: Pick<RequestClient, 'submit'>,
  requestId: string,
  body: CreateSubmission,
): CreateOnce<CreatedSubmission> {
  const key = newClaim()
  return (options = {}) => withRetry(() => requests.submit(requestId, body, key, options.signal), options)
}
