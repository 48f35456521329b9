/** A way to sign in. It answers one question: who is this? The account, the session and the events are core's. */
import type { IncomingMessage } from 'node:http'
import type { Role } from './users.js'

/** Whom a provider vouches for. */
export interface Identity {
  /** What the provider calls this person, for ever: never a name that can pass to somebody else. Up to 255 characters. */
  subject: string
  /** What they would like to be called; core makes a free and valid username of it. */
  username: string
  /** Only where the provider has verified it. */
  email: string
  /** Where the provider decides about it; absent: core's own. */
  role?: Role
}

/** What a provider keeps between the two steps of a sign-in by redirect, in a cookie that only core reads. */
export interface RedirectState {
  /** Comes back with the callback. */
  state: string
  /** What the provider wants to know again then: nonce, PKCE verifier. Never shown to anyone else. */
  kept: string
}

export interface AuthProvider {
  /**
   * Lower-case words joined by "-". Unique; part of the addresses of its calls, and of the identities it vouches for. The
   * one called `local` vouches for accounts of this instance: its subjects are their ids.
   */
  id: string
  /** Whether somebody whom it vouches for and who has no account gets one. */
  signUp: boolean
  /**
   * Whether an account that is there with the e-mail address of an identity becomes theirs. Only for who gives out these
   * addresses: anybody else could be made to vouch for the address of an administrator.
   */
  linkByEmail?: boolean
  /**
   * Checks a name and a password. Null: not mine, or wrong; the next one is asked. Throw: mine, and broken. It takes as
   * long for an unknown name as for a wrong password.
   */
  password?(username: string, password: string): Promise<Identity | null>
  /**
   * Core mounts /authentication/{id}/start and /authentication/{id}/callback and shows `label` on the sign-in screen.
   * `finish` throws AppError `auth.refused` when the answer is forged, out of date, or about somebody who may not enter; both
   * throw `auth.unavailable` when the provider does not answer.
   */
  redirect?: {
    label: string
    start(callbackUrl: string): Promise<{ url: URL } & RedirectState>
    finish(callback: URL, kept: RedirectState): Promise<Identity>
  }
  /**
   * Who a reverse proxy says is calling; asked on every request without a session or token. Null: it does not say.
   * `headers`: each with all its lines. `peer`: address of the socket, normalised, which must be one that the operator
   * listed. Throws AppError `auth.refused` when a listed one says what cannot be.
   */
  header?(headers: IncomingMessage['headersDistinct'], peer: string | null): Promise<Identity | null>
  /**
   * Where a browser goes to be vouched for no more: an http(s) address, or a path of this host. Without it people are told that
   * the proxy still knows them.
   */
  signOutUrl?: string
}
