/** API requests of users about their own account. */
import type {
  Account,
  CreatedToken,
  CreateToken,
  Identities,
  Session,
  SetNotifications,
  Token,
  UpdateAccount,
  UploadUsage,
  VerifyEmail,
} from '#shared/api'
import { requestJson } from '../../lib/api.js'

export const updateAccount = (body: UpdateAccount) =>
  requestJson<{ user: Account }>({ method: 'PUT', path: '/account/update', body })
export const setNotifications = (body: SetNotifications) =>
  requestJson<void>({ method: 'PUT', path: '/account/notifications', body })
export const sendVerification = () => requestJson<void>({ method: 'POST', path: '/account/verification' })
export const verifyEmail = (body: VerifyEmail) =>
  requestJson<void>({ method: 'POST', path: '/authentication/verify-email', body })
/** `token`: from the link of a notification. */
export const unsubscribe = (token: string) =>
  requestJson<void>({ method: 'POST', path: `/notifications/unsubscribe/${encodeURIComponent(token)}` })
/** `password` is required for accounts that have one. */
export const deleteAccount = (body: { password?: string }) =>
  requestJson<unknown>({ method: 'POST', path: '/account/delete', body })

export const loadUploadUsage = () => requestJson<UploadUsage>({ method: 'GET', path: '/account/usage' })

export const listTokens = () => requestJson<Token[]>({ method: 'GET', path: '/account/tokens' })
/** The only response that contains the token. */
export const createToken = (body: CreateToken) =>
  requestJson<CreatedToken>({ method: 'POST', path: '/account/tokens', body })
export const deleteToken = (id: string) =>
  requestJson<void>({ method: 'DELETE', path: '/account/tokens', body: { id } })

export const listIdentities = () => requestJson<Identities>({ method: 'GET', path: '/account/identities' })
export const disconnectIdentity = (provider: string) =>
  requestJson<void>({ method: 'DELETE', path: '/account/identities', body: { provider } })

export const listSessions = () => requestJson<Session[]>({ method: 'GET', path: '/account/sessions' })
/** Without `id`: all sessions except the current one. */
export const endSession = (id?: string) =>
  requestJson<void>({ method: 'DELETE', path: '/account/sessions', body: { id } })
