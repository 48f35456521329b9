/** Who is calling, as far as it is known. */
import type { Scope } from './contracts/tokens.js'
import type { Role, User } from './contracts/users.js'

export interface Caller {
  /** null: a visitor. */
  userId: string | null
  /** What they are called now; null: a visitor. */
  username: string | null
  role: Role | null
  /** What they may do; a token may be limited to less than its user. Empty: a visitor. */
  scopes: readonly Scope[]
  /** Id of the session or of the API token that they came with; neither: a visitor, or vouched for by a reverse proxy. */
  sessionId: string | null
  tokenId: string | null
  /** Normalised IP address; null when it cannot be known, which `allowedIp` refuses. */
  address: string | null
}

export const ALL_SCOPES: readonly Scope[] = ['secrets:create', 'secrets:read', 'account', 'admin']

/** Somebody who is not signed in. */
export const visitor = (address: string | null): Caller => ({
  userId: null,
  username: null,
  role: null,
  scopes: [],
  sessionId: null,
  tokenId: null,
  address,
})

/** Whoever works on this machine, straight on the storage: they could change it by hand as well. */
export const SHELL: Caller = { ...visitor(null), username: '(shell)', role: 'admin', scopes: ALL_SCOPES }

/** Somebody with an account. `scopes`: of the token that they came with, which never gives more than the account may. */
export function callerOf(
  user: User,
  { address, scopes = ALL_SCOPES, ...came }: Pick<Caller, 'address'> & Partial<Caller>,
): Caller {
  const { id, username, role } = user
  const mayHave = scopesOf(role)
  return {
    ...visitor(address),
    ...came,
    ...{ userId: id, username, role },
    scopes: scopes.filter((scope) => mayHave.includes(scope)),
  }
}

/** All that an account of this role may do. */
export const scopesOf = (role: Role): readonly Scope[] =>
  role === 'admin' ? ALL_SCOPES : ALL_SCOPES.filter((scope) => scope !== 'admin')
