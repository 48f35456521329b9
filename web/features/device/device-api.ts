/** API requests by which users decide about the sign-in of a program. */
import type { DecideDeviceLogin } from '#shared/api'
import { PendingDeviceLogin } from '#shared/response-schemas/device-responses'
import { requestJson } from '../../lib/account-request.js'

/** `code`: of the user, which the program shows. */
export const loadDeviceLogin = (code: string) =>
  requestJson({
    response: PendingDeviceLogin,
    method: 'GET',
    path: `/account/device?${new URLSearchParams({ code })}`,
  })
export const decideDeviceLogin = (body: DecideDeviceLogin) =>
  requestJson({ method: 'POST', path: '/account/device', body })
