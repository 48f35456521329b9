/** The calls of people about their accounts. Each is tried once: somebody is waiting who can try again. */
import type { Account, CreatedToken, CreateToken, Identities, Session, Token, UpdateAccount } from '#shared/api'
import { requestJson } from '../../lib/api.js'

export const updateAccount = (body: UpdateAccount) =>
  requestJson<{ user: Account }>({ method: 'PUT', path: '/account/update', body })
/** `password`: of an account that has one. */
export const deleteAccount = (body: { password?: string }) =>
  requestJson<unknown>({ method: 'POST', path: '/account/delete', body })

export const listTokens = () => requestJson<Token[]>({ method: 'GET', path: '/account/tokens' })
/** The answer is the only one that has the token. */
export const createToken = (body: CreateToken) =>
  requestJson<CreatedToken>({ method: 'POST', path: '/account/tokens', body })
export const deleteToken = (id: string) =>
  requestJson<void>({ method: 'DELETE', path: '/account/tokens', body: { id } })

export const listIdentities = () => requestJson<Identities>({ method: 'GET', path: '/account/identities' })
export const disconnectIdentity = (provider: string) =>
  requestJson<void>({ method: 'DELETE', path: '/account/identities', body: { provider } })

export const listSessions = () => requestJson<Session[]>({ method: 'GET', path: '/account/sessions' })
/** Without `id`: all but the one that asks. */
export const endSession = (id?: string) =>
  requestJson<void>({ method: 'DELETE', path: '/account/sessions', body: { id } })
