/** API requests of admins. */
import type { SetUp } from '#shared/api'
import { createAdminClient } from '#shared/client/admin-client'
import { SignedIn } from '#shared/response-schemas/account-responses'
import { Overview } from '#shared/response-schemas/admin-responses'
import { requestJson } from '../../lib/account-request.js'

export const adminApi = createAdminClient(requestJson)

export const loadOverview = () => requestJson({ response: Overview, method: 'GET', path: '/admin/overview' })

/** Creates the first admin and signs in. */
export const createFirstAdmin = (body: SetUp) =>
  requestJson({ response: SignedIn, method: 'POST', path: '/authentication/setup', body })
