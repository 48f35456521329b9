import { ApiError } from '#shared/client/client'
import { accountPaths } from '../account-paths.js'
import { paths } from '../paths.js'

/**
 * Where the user of a restricted session goes on: to the second step, or to the page for adding a second factor. Null:
 * the error is another one. `from`: the path to return to.
 */
export function restrictionPath(error: unknown, from: string): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'auth.factor_enrolment_required') return accountPaths.security
  return error.code === 'auth.second_factor_required'
    ? `${paths.secondStep}?${new URLSearchParams({ next: from })}`
    : null
}
