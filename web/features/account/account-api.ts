/** API requests of users about their own account. */
import type { CreateToken, LockOut, SetDefaults, SetNotifications, UpdateAccount, VerifyEmail } from '#shared/api'
import {
  Access,
  AccountResponse,
  CreatedToken,
  Identities,
  ProviderPage,
  Sessions,
  Tokens,
  UploadUsage,
  VerifiedEmail,
} from '#shared/response-schemas/account-responses'
import { requestJson } from '../../lib/account-request.js'

export const updateAccount = (body: UpdateAccount) =>
  requestJson({ response: AccountResponse, method: 'PUT', path: '/account/update', body })
export const setNotifications = (body: SetNotifications) =>
  requestJson({ method: 'PUT', path: '/account/notifications', body })
export const setDefaults = (body: SetDefaults) =>
  requestJson({ response: AccountResponse, method: 'PUT', path: '/account/defaults', body })
export const sendVerification = () => requestJson({ method: 'POST', path: '/account/verification' })
export const verifyEmail = (body: VerifyEmail) =>
  requestJson({ response: VerifiedEmail, method: 'POST', path: '/authentication/verify-email', body })
/** `token`: from the link of a notification. */
export const unsubscribe = (token: string) =>
  requestJson({ method: 'POST', path: `/notifications/unsubscribe/${encodeURIComponent(token)}` })
export const listAccess = () => requestJson({ response: Access, method: 'GET', path: '/account/access' })
/** The passwords are required for accounts that have one. */
export const lockOut = (body: LockOut) => requestJson({ method: 'POST', path: '/account/lock-out', body })
/** `password` is required for accounts that have one. */
export const deleteAccount = (body: { password?: string }) =>
  requestJson({ method: 'POST', path: '/account/delete', body })

export const loadUploadUsage = () => requestJson({ response: UploadUsage, method: 'GET', path: '/account/usage' })

export const listTokens = () => requestJson({ response: Tokens, method: 'GET', path: '/account/tokens' })
/** The only response that contains the token. */
export const createToken = (body: CreateToken) =>
  requestJson({ response: CreatedToken, method: 'POST', path: '/account/tokens', body })
export const deleteToken = (id: string) => requestJson({ method: 'DELETE', path: '/account/tokens', body: { id } })

export const listIdentities = () => requestJson({ response: Identities, method: 'GET', path: '/account/identities' })
/** The page of the provider, which leads back to the page Security. */
export const connectIdentity = (provider: string) =>
  requestJson({
    response: ProviderPage,
    method: 'POST',
    path: `/authentication/${encodeURIComponent(provider)}/connect`,
  })
export const disconnectIdentity = (provider: string) =>
  requestJson({ method: 'DELETE', path: '/account/identities', body: { provider } })

export const listSessions = () => requestJson({ response: Sessions, method: 'GET', path: '/account/sessions' })
/** All except this browser. */
export const forgetDevices = () => requestJson({ method: 'DELETE', path: '/account/devices' })
/** Without `id`: all sessions except the current one. */
export const endSession = (id?: string) => requestJson({ method: 'DELETE', path: '/account/sessions', body: { id } })
