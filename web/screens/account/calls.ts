/** The calls of people about their accounts. Each is tried once: somebody is waiting who can try again. */
import type { Account, CreatedToken, CreateToken, Identities, Session, Token, UpdateAccount } from '#shared/api'
import { createRequest } from '#shared/request'
import { site } from '../../site.js'

const { json } = createRequest({ server: site.base })

export const account = () => json<{ user: Account }>({ method: 'GET', path: '/account' })
export const update = (body: UpdateAccount) => json<{ user: Account }>({ method: 'PUT', path: '/account/update', body })
/** `password`: of an account that has one. */
export const remove = (body: { password?: string }) => json<unknown>({ method: 'POST', path: '/account/delete', body })

export const tokens = () => json<Token[]>({ method: 'GET', path: '/account/tokens' })
/** The answer is the only one that has the token. */
export const createToken = (body: CreateToken) => json<CreatedToken>({ method: 'POST', path: '/account/tokens', body })
export const deleteToken = (id: string) => json<void>({ method: 'DELETE', path: '/account/tokens', body: { id } })

export const identities = () => json<Identities>({ method: 'GET', path: '/account/identities' })
export const disconnect = (provider: string) =>
  json<void>({ method: 'DELETE', path: '/account/identities', body: { provider } })

export const sessions = () => json<Session[]>({ method: 'GET', path: '/account/sessions' })
/** Without `id`: all but the one that asks. */
export const endSession = (id?: string) => json<void>({ method: 'DELETE', path: '/account/sessions', body: { id } })
