import type { Account, Token } from '#shared/api'

export type Scope = Token['scopes'][number]

/** What each is called in the words: a colon there means another namespace. */
export const SCOPE_KEYS: Record<Scope, string> = {
  'secrets:create': 'create',
  'secrets:read': 'read',
  account: 'account',
  admin: 'admin',
}

/** Nothing but that: a token for a build job, say. */
export const isCreateOnly = (scopes: Scope[]): boolean => scopes.join() === 'secrets:create'

/** All that an account may give to a token. */
export const allowedScopes = (role: Account['role']): Scope[] =>
  (Object.keys(SCOPE_KEYS) as Scope[]).filter((scope) => role === 'admin' || scope !== 'admin')
