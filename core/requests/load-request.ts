import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import { AppError } from '../lib/errors.js'
import { isAllowedAddress } from '../lib/ip.js'
import { hasProof } from '../secrets/secret-access.js'

/**
 * Loads a request that still accepts submissions, for a caller with the request link. Throws AppError
 * `secret_request.not_found`, the same for every reason.
 */
export async function loadForSubmitter(
  app: App,
  id: string,
  submitProof: string,
  { address }: Pick<AuthContext, 'address'>,
): Promise<SecretRequest> {
  const request = await app.storage.requests.find(id, app.now())
  const isAuthorized =
    request && hasProof(request.submitHash, submitProof) && isAllowedAddress(request.allowedIp, address)
  if (!isAuthorized || request.submissions >= request.maxSubmissions) throw notFound()
  return request
}

/** Loads a request for a caller with the collect link. Throws AppError `secret_request.not_found`. */
export async function loadForCollector(app: App, id: string, collectProof: string): Promise<SecretRequest> {
  const request = await app.storage.requests.find(id, app.now())
  if (!request || !hasProof(request.collectHash, collectProof)) throw notFound()
  return request
}

export const notFound = (): AppError => new AppError('secret_request.not_found')
