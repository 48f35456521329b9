/** Who makes a request, and with which permissions. */
import type { Scope } from './tokens.js'
import type { Role, User, UserGroups } from './users.js'

export interface AuthContext {
  /** null: a visitor, who is not signed in. */
  userId: string | null
  /** Current username; null: a visitor. */
  username: string | null
  role: Role | null
  /** Permissions. A token may have fewer than its user; a visitor has none. */
  scopes: readonly Scope[]
  /**
   * Id of the session or of the API token of the request. Both are null for visitors and users authenticated by a
   * proxy.
   */
  sessionId: string | null
  tokenId: string | null
  /**
   * The user has to change the password, see `User.mustChangePassword`. An administrator has no scope `admin` until
   * then: the password is known to someone else, or may be shorter than administrators need.
   */
  mustChangePassword: boolean
  /** Whether the address of the user is verified. */
  emailVerified: boolean
  /** See `User.creationDeniedBy`. */
  creationDeniedBy: string | null
  /** See `User.groups`. */
  groups: UserGroups | null
  /** See `User.assignedGroups`. */
  assignedGroups: readonly string[]
  /** See `User.defaultTtl` and `User.defaultViews`. */
  defaults: { readonly ttl: number | null; readonly views: number | null }
  /** Security epoch of the account, see `User.epoch`. Stored with sessions and tokens that the caller creates. */
  epoch: number
  /**
   * How the caller signed in. 0: a visitor. 1: by one factor. 2: with a second factor or a passkey; also the API tokens
   * of a user.
   */
  level: 0 | 1 | 2
  /** See `Session.provenAt`; null without a session. */
  provenAt: number | null
  /** The account has a second factor, and second factors are not turned off. */
  secondFactor: boolean
  /**
   * Why the caller lacks scopes and may use few routes only. `second-factor`: the policy requires the second step of
   * the sign-in. `enrolment`: it requires a second factor, the account has none, and its time to add one has passed.
   */
  restricted: null | 'second-factor' | 'enrolment'
  /** Limits of the API token of the request; null: no token. */
  tokenLimits: { expiresAt: number; allowedIp: string | null } | null
  /** Normalized IP address; null when unknown, which `allowedIp` refuses. */
  address: string | null
}

/** Together they allow everything. */
export const ALL_SCOPES: readonly Scope[] = ['secrets:create', 'secrets:read', 'account', 'admin']

/** Parts of `admin`. */
const ADMIN_SCOPES: readonly Scope[] = ['admin:read', 'admin:users', 'admin:settings']

/** Auth context of a client that is not signed in. */
export const anonymous = (address: string | null): AuthContext => ({
  userId: null,
  username: null,
  role: null,
  scopes: [],
  sessionId: null,
  tokenId: null,
  mustChangePassword: false,
  emailVerified: false,
  creationDeniedBy: null,
  groups: null,
  assignedGroups: [],
  defaults: { ttl: null, views: null },
  epoch: 0,
  level: 0,
  provenAt: null,
  secondFactor: false,
  restricted: null,
  tokenLimits: null,
  address,
})

/** Auth context of the local CLI. It has direct database access, so it acts as an admin. */
export const LOCAL_CLI: AuthContext = {
  ...anonymous(null),
  username: '(shell)',
  role: 'admin',
  scopes: ALL_SCOPES,
  level: 2,
}

/** Auth context of a user. `scopes`: of the API token, limited to the scopes of the user. */
export function toAuthContext(
  user: User,
  { address, scopes = ALL_SCOPES, ...credentials }: Pick<AuthContext, 'address'> & Partial<AuthContext>,
): AuthContext {
  const { id, username, role, mustChangePassword, emailVerified, creationDeniedBy, epoch } = user
  const allowed = scopesOf(mustChangePassword ? 'user' : role)
  return {
    ...anonymous(address),
    level: 1,
    ...credentials,
    userId: id,
    username,
    role,
    mustChangePassword,
    emailVerified: emailVerified !== null,
    creationDeniedBy,
    groups: user.groups,
    assignedGroups: user.assignedGroups,
    defaults: { ttl: user.defaultTtl, views: user.defaultViews },
    epoch,
    scopes: scopes.filter((scope) => allowed.includes(scope)),
  }
}

/** All scopes of a role. */
export const scopesOf = (role: Role): readonly Scope[] =>
  role === 'admin' ? [...ALL_SCOPES, ...ADMIN_SCOPES] : ALL_SCOPES.filter((scope) => scope !== 'admin')

/** Whether scopes include one, or `admin`, which includes all others for administration. */
export const hasScope = (scopes: readonly Scope[], scope: Scope): boolean =>
  scopes.includes(scope) || (isAdminScope(scope) && scopes.includes('admin'))

export const isAdminScope = (scope: string): boolean => scope === 'admin' || scope.startsWith('admin:')
