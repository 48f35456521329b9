/** Records events of secret requests: audit entry first, then the event listeners. */
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretRequest } from '../contracts/requests.js'
import { auditedId } from '../secrets/record-secret-event.js'
import type { RequestDeps } from './request-deps.js'

type Deps = Pick<RequestDeps, 'audit' | 'emit'>

export async function recordRequestCreated(deps: Deps, request: SecretRequest, caller: AuthContext): Promise<void> {
  const { id, ownerId, expiresAt, maxSubmissions } = request
  const detail = { submissions: maxSubmissions }
  await deps.audit({ action: 'secret_request.created', caller, subject: auditedId(id), detail })
  await deps.emit('request:created', { id, ownerId, expiresAt, maxSubmissions })
}

/** `secretId`: of the submission. */
export async function recordSubmitted(
  deps: Deps,
  { id, ownerId }: SecretRequest,
  secretId: string,
  caller: AuthContext,
): Promise<void> {
  const detail = { secret: auditedId(secretId) }
  await deps.audit({ action: 'secret_request.submitted', caller, subject: auditedId(id), detail })
  await deps.emit('request:submitted', { id, ownerId, secretId })
}

/** `burned`: number of unopened submissions. */
export async function recordRequestClosed(deps: Deps, id: string, burned: number, caller: AuthContext): Promise<void> {
  await deps.audit({ action: 'secret_request.closed', caller, subject: auditedId(id), detail: { burned } })
  await deps.emit('request:closed', { id })
}
