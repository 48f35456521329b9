import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import type { RequestStore } from '../contracts/storage.js'
import { AppError } from '../lib/errors.js'
import { isAllowedAddress } from '../lib/ip.js'
import { hasProof } from '../secrets/secret-access.js'
import type { RequestDeps } from './request-deps.js'

/** Returns the store. Throws AppError `settings.requests_disabled` if the storage keeps no secret requests. */
export function requireStore({ store }: Pick<RequestDeps, 'store'>): RequestStore {
  if (!store) throw new AppError('settings.requests_disabled')
  return store
}

/**
 * Loads a request that still accepts submissions, for a caller with the request link. Throws AppError
 * `secret_request.not_found`, the same for every reason.
 */
export async function loadForSubmitter(
  deps: Pick<RequestDeps, 'store' | 'now'>,
  id: string,
  submitProof: string,
  { address }: Pick<AuthContext, 'address'>,
): Promise<SecretRequest> {
  const request = await deps.store?.find(id, deps.now())
  const isAuthorized =
    request && hasProof(request.submitHash, submitProof) && isAllowedAddress(request.allowedIp, address)
  if (!isAuthorized || request.submissions >= request.maxSubmissions) throw notFound()
  return request
}

/** Loads a request for a caller with the collect link. Throws AppError `secret_request.not_found`. */
export async function loadForCollector(
  deps: Pick<RequestDeps, 'store' | 'now'>,
  id: string,
  collectProof: string,
): Promise<SecretRequest> {
  const request = await deps.store?.find(id, deps.now())
  if (!request || !hasProof(request.collectHash, collectProof)) throw notFound()
  return request
}

export const notFound = (): AppError => new AppError('secret_request.not_found')

export const invalid = (
  code: 'request.invalid' | 'request.too_large' | 'file.too_large',
  field: string,
  problem: string,
): AppError => new AppError(code, { field, message: `${field}: ${problem}` })
