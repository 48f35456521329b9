import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { loadSubmittedFileMax } from '../settings/policy-rules.js'
import type { OpenedRequest, OpenRequest } from '../shared/api/index.js'
import { loadForSubmitter } from './load-request.js'

/** Returns the data that a submitter needs. Spends nothing. Throws AppError `secret_request.not_found`. */
export async function openRequest(
  app: App,
  id: string,
  { submit }: OpenRequest,
  caller: AuthContext,
): Promise<OpenedRequest> {
  const request = await loadForSubmitter(app, id, submit, caller)
  const { value: maxFileBytes } = await loadSubmittedFileMax(app, request.ownerId)
  return { ...request, maxFileBytes, submissionsLeft: request.maxSubmissions - request.submissions }
}
