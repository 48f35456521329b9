/** Sessions: opened at sign-in, identified by a rotating token, ended one by one or all at once. */
import { createHash, randomBytes } from 'node:crypto'
import type { Audit } from '../contracts/audit.js'
import { type AuthContext, toAuthContext } from '../contracts/auth-context.js'
import type { FoundSession, SessionStore } from '../contracts/sessions.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { SettingsService } from '../settings/settings-service.js'
import type { Session } from '../shared/api/index.js'
import { assertCanSignIn } from './account-policy.js'

const DAY_MS = 24 * 60 * 60_000
/** Lifetime after the last refresh. */
const IDLE_MS = 7 * DAY_MS
/** Lifetime after sign-in, however often the session is refreshed. */
const MAX_AGE_MS = 30 * DAY_MS
/** How long a replaced token still works, for browser tabs that do not have the new one yet. */
const GRACE_MS = 30_000
/** Per user. One more ends the oldest. */
const SESSIONS_MAX = 20
/** Precision of the time of last use. */
const SEEN_PRECISION_MS = 60_000

/** For the session cookie. */
export interface OpenedSession {
  /** 32 random bytes, base64url. Only a hash is stored. */
  token: string
  username: string
  /** Epoch ms. */
  expiresAt: number
  /** Ms until then. */
  lastsMs: number
}

interface Deps {
  store: SessionStore
  instance: SettingsService
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

export type SessionsService = ReturnType<typeof sessionsService>

export const sessionsService = (deps: Deps) => ({
  open: openSession.bind(null, deps),
  identify: identifySession.bind(null, deps),
  refresh: refreshSession.bind(null, deps),
  signOut: signOut.bind(null, deps),
  list: listSessions.bind(null, deps),
  end: endSessions.bind(null, deps),
})

/** Opens a session for a user who has been authenticated. `client`: user-agent label. */
export async function openSession(
  { store, now }: Deps,
  { id: userId, username }: User,
  client: string,
): Promise<OpenedSession> {
  const token = createToken()
  const createdAt = now()
  const expiresAt = createdAt + IDLE_MS
  const id = randomBytes(16).toString('base64url')
  const times = { createdAt, seenAt: createdAt, expiresAt, endsAt: createdAt + MAX_AGE_MS }
  await store.open({ id, userId, tokenHash: hashToken(token), client, ...times }, SESSIONS_MAX, createdAt)
  return { token, username, expiresAt, lastsMs: IDLE_MS }
}

/** The user of a session token; null when the token is not valid. Throws AppError `auth.users_disabled`. */
export async function identifySession(deps: Deps, token: string, address: string | null): Promise<AuthContext | null> {
  const { store, instance, now } = deps
  const found = await findSession(deps, token, address)
  if (!found) return null
  const { session, user } = found
  const settings = await instance.current()
  assertCanSignIn(user, settings)
  if (user.role !== 'admin' && session.createdAt <= settings.usersDisabledAt) return null
  if (now() - session.seenAt >= SEEN_PRECISION_MS) await store.markSeen(session.id, now())
  return toAuthContext(user, { address, sessionId: session.id })
}

/**
 * Replaces the token of a session. Null when another request was faster: the browser has that token already. Throws AppError
 * `auth.required`.
 */
export async function refreshSession(
  deps: Deps,
  token: string,
  { username, address }: AuthContext,
): Promise<OpenedSession | null> {
  const { store, audit, now } = deps
  const at = now()
  const found = await findSession(deps, token, address)
  if (!found) throw new AppError('auth.required')
  const next = createToken()
  const expiresAt = Math.min(at + IDLE_MS, found.session.endsAt)
  const isRotated = await store.rotate(hashToken(token), { tokenHash: hashToken(next), expiresAt }, GRACE_MS, at)
  if (!isRotated) return null
  await audit({ action: 'session.refreshed', caller: { username, address } })
  return { token: next, username: username ?? '', expiresAt, lastsMs: expiresAt - at }
}

/** Ends the session of a token, also when its user may not sign in any more. */
export async function signOut(
  { store, audit, now }: Deps,
  token: string,
  { address }: Pick<AuthContext, 'address'>,
): Promise<void> {
  const found = await store.find(hashToken(token), now())
  if (!found || !(await store.end(found.session.id, found.user.id))) return
  await audit({ action: 'session.ended', caller: { username: found.user.username, address } })
}

/** Lists the sessions of the caller. */
export async function listSessions({ store, now }: Deps, { userId, sessionId }: AuthContext): Promise<Session[]> {
  const sessions = userId === null ? [] : await store.list(userId, now())
  return sessions.map(({ id, client, createdAt, seenAt, expiresAt }) => {
    return { id, client, createdAt, seenAt, expiresAt, current: id === sessionId }
  })
}

/** Ends one session of the caller or, without `id`, all but the current one. Throws AppError `session.not_found`. */
export async function endSessions({ store, audit }: Deps, id: string | undefined, caller: AuthContext): Promise<void> {
  const { userId, sessionId } = caller
  if (userId === null) throw new AppError('auth.required')
  const sessions =
    id === undefined ? await store.endAll(userId, sessionId ?? undefined) : Number(await store.end(id, userId))
  if (id !== undefined && sessions === 0) throw new AppError('session.not_found')
  if (sessions > 0) await audit({ action: 'session.ended', caller, detail: { sessions } })
}

/** Use of a token after its grace period ends the session: someone else has a copy of the token. */
async function findSession(
  { store, audit, now }: Deps,
  token: string,
  address: string | null,
): Promise<FoundSession | null> {
  const found = await store.find(hashToken(token), now())
  if (found?.token !== 'reused') return found
  const { session, user } = found
  if (await store.end(session.id, user.id)) {
    await audit({ action: 'session.reused', caller: { username: user.username, address }, detail: { ended: true } })
  }
  return null
}

const createToken = (): string => randomBytes(32).toString('base64url')

/** A token has 256 random bits, so a fast hash is enough. */
const hashToken = (token: string): string => createHash('sha256').update(`mayfly/v1/session${token}`).digest('hex')
