import type { Account, Token } from '#shared/api'

/** Without the parts of `admin`, which the command line gives to tokens. */
export type Scope = Exclude<Token['scopes'][number], `admin:${string}`>

/** Whether the page has a text for a scope. */
export const isNamed = (scope: Token['scopes'][number]): scope is Scope => scope in SCOPE_KEYS

/** The locale key of each scope. A colon would separate a namespace. */
export const SCOPE_KEYS: Record<Scope, string> = {
  'secrets:create': 'create',
  'secrets:read': 'read',
  account: 'account',
  admin: 'admin',
}

/** Only such tokens, for example of a build job, can have limits. */
export const isCreateOnly = (scopes: Scope[]): boolean => scopes.join() === 'secrets:create'

/** The scopes that a user with this role may give to a token. */
export const allowedScopes = (role: Account['role']): Scope[] =>
  (Object.keys(SCOPE_KEYS) as Scope[]).filter((scope) => role === 'admin' || scope !== 'admin')
