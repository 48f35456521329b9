/** Facts about secret requests, which their changes report. */
import type { SecretRequest } from '../contracts/requests.js'
import type { Secret, SecretMeta } from '../contracts/storage.js'
import { burnedFacts } from '../secrets/secret-facts.js'
import type { FactFor } from '../shared/event-catalog.js'

type Fact = FactFor<'operator'>

const toCommonData = ({ id: requestId, ownerId, notify }: SecretRequest) => ({ requestId, ownerId, notify })

export const requestCreatedFacts = (request: SecretRequest): Fact[] => {
  const { expiresAt, maxSubmissions } = request
  return [{ name: 'request.created', data: { ...toCommonData(request), expiresAt, maxSubmissions } }]
}

/** A counted submission. `submissions`: so far, including this one. The last one fulfills the request. */
export function submittedFacts(request: SecretRequest, { id: secretId, files }: Secret, submissions: number): Fact[] {
  const common = { ...toCommonData(request), submissions }
  const submissionsLeft = request.maxSubmissions - submissions
  const submitted: Fact = { name: 'request.submitted', data: { ...common, secretId, submissionsLeft, files } }
  return submissionsLeft > 0 ? [submitted] : [submitted, { name: 'request.fulfilled', data: common }]
}

/** Empty for a request that has all its submissions. */
export function expiredRequestFacts(request: SecretRequest): Fact[] {
  const { submissions, maxSubmissions } = request
  const submissionsLeft = maxSubmissions - submissions
  if (submissionsLeft <= 0) return []
  return [{ name: 'request.expired', data: { ...toCommonData(request), submissions, submissionsLeft } }]
}

/** A closed request, and the submissions that it burns. */
export const closedFacts = (request: SecretRequest, burned: SecretMeta[]): Fact[] => [
  ...burned.flatMap(burnedFacts),
  { name: 'request.closed', data: { ...toCommonData(request), burned: burned.length } },
]
