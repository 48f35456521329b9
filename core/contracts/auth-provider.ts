/** Auth provider: authenticates a user. Core handles accounts, sessions and events. */
import type { IncomingMessage } from 'node:http'
import type { Role } from './users.js'

/** An identity that a provider asserts. */
export interface Identity {
  /** Permanent id of the user at the provider, never a name that can be reassigned. Up to 255 characters. */
  subject: string
  /** Preferred username. Core changes it to a valid and unused one. */
  username: string
  /** Set only if the provider has verified the address. */
  email: string
  /** Set if the provider manages roles. If absent, core does. */
  role?: Role
  /**
   * Whether the user may create secrets and requests, from a provider with `decidesCreation`. Absent: unknown, so an
   * existing account keeps its permission, and a new account may not create. Administrators always can.
   */
  canCreate?: boolean
  /** Groups of the user at the provider, in any number. Absent: unknown, so the account keeps its groups. */
  groups?: string[]
  /** Whether the provider asked for a second factor at this sign-in. Absent: no, or unknown. */
  secondFactor?: boolean
}

/** State between the two steps of a redirect sign-in, stored in an encrypted cookie. */
export interface RedirectState {
  /** The `state` parameter of the callback. */
  state: string
  /** Further state of the provider, such as nonce and PKCE verifier. Not readable by the browser. */
  providerState: string
}

export interface AuthProvider {
  /**
   * Lower-case words joined by "-". Unique. Part of the paths of its routes and of the identities it asserts. The
   * provider `local` asserts accounts of this instance: its subjects are user ids.
   */
  id: string
  /** Whether a user without an account gets one on the first sign-in. */
  signUp: boolean
  /**
   * Whether an identity is linked to an existing account with the same e-mail address. Safe only for a provider that
   * issues these addresses: with another one, a user could claim the address of an administrator.
   */
  linkByEmail?: boolean
  /**
   * Whether the provider decides who may create secrets and requests, with `canCreate` of an identity. Without such a
   * provider, or when it is not configured any more, its earlier decisions do not apply.
   */
  decidesCreation?: boolean
  /**
   * Verifies username and password. Null: unknown or wrong, so core asks the next provider. Throws if the provider
   * fails. Must take as long for an unknown username as for a wrong password.
   */
  password?(username: string, password: string): Promise<Identity | null>
  /**
   * Core adds /authentication/{id}/start and /authentication/{id}/callback, and a button with `label` on the sign-in
   * page. `finish` throws AppError `auth.refused` if the callback is forged, expired, or for a user who is not allowed;
   * both throw `auth.unavailable` if the provider does not respond. `needs.groups`: policies name groups, so `finish`
   * should return the groups of the user.
   */
  redirect?: {
    label: string
    start(callbackUrl: string): Promise<{ url: URL } & RedirectState>
    finish(callback: URL, state: RedirectState, needs: { groups: boolean }): Promise<Identity>
  }
  /**
   * The identity that a reverse proxy asserts. Called for every request without a session or token. Null: none.
   * `headers`: all lines of each header. `peer`: normalized remote address of the socket, which must be in the list of
   * the operator. Throws AppError `auth.refused` if a listed proxy sends an invalid identity.
   */
  header?(headers: IncomingMessage['headersDistinct'], peer: string | null): Promise<Identity | null>
  /**
   * URL for signing out of the proxy: http(s), or a path of this host. Without it the web app says that the proxy keeps
   * the user signed in.
   */
  signOutUrl?: string
}
