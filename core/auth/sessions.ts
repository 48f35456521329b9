/** Sessions: opened at sign-in, identified by a rotating token, ended one by one or all at once. */
import { hash } from 'node:crypto'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { FoundSession, Session as StoredSession } from '../contracts/sessions.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import { newId, randomToken } from '../lib/random-token.js'
import type { Session } from '../shared/api/index.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { assertCanSignIn } from './account-policy.js'
import type { DeviceOwner } from './known-devices.js'
import { hasSecondFactor, identifyUser } from './second-factor-policy.js'

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
  /** For the cookie of the device. */
  user: DeviceOwner
  expiresAt: EpochMs
  /** Ms until then. */
  lastsMs: number
}

/**
 * Opens a session for a user who has been authenticated. `client`: user-agent label. `provenAt`: of a
 * session that this one replaces; absent: the sign-in is the proof, unless the account has a second factor.
 */
export async function openSession(
  app: App,
  user: User,
  client: string,
  level: StoredSession['level'],
  provenAt: EpochMs | null = null,
): Promise<OpenedSession> {
  const { id: userId, username, epoch } = user
  const token = createToken()
  const createdAt = app.now()
  const isProof = level === 2 || !hasSecondFactor(user, await app.settings.current())
  const expiresAt = createdAt + IDLE_MS
  const id = newId()
  const times = { createdAt, seenAt: createdAt, expiresAt, endsAt: createdAt + MAX_AGE_MS }
  await app.storage.sessions.open(
    {
      id,
      userId,
      tokenHash: hashToken(token),
      client,
      epoch,
      level,
      provenAt: provenAt ?? (isProof ? createdAt : null),
      ...times,
    },
    SESSIONS_MAX,
    createdAt,
  )
  return { token, username, user: { id: userId, epoch }, expiresAt, lastsMs: IDLE_MS }
}

/** The user of a session token; null when the token is not valid. Throws AppError `auth.users_disabled`. */
export async function identifySession(app: App, token: string, address: string | null): Promise<AuthContext | null> {
  const found = await findSession(app, token, address)
  if (!found) return null
  const { session, user } = found
  const settings = await app.settings.current()
  assertCanSignIn(user, settings)
  if (user.role !== 'admin' && session.createdAt <= settings.usersDisabledAt) return null
  if (app.now() - session.seenAt >= SEEN_PRECISION_MS) await app.storage.sessions.markSeen(session.id, app.now())
  const { id: sessionId, level, provenAt } = session
  return identifyUser(user, { address, sessionId, level, provenAt }, { settings, now: app.now() })
}

/**
 * Replaces the token of a session. Null when another request was faster: the browser has that token already. Throws
 * AppError `auth.required`.
 */
export async function refreshSession(
  app: App,
  token: string,
  { username, address }: AuthContext,
): Promise<OpenedSession | null> {
  const at = app.now()
  const found = await findSession(app, token, address)
  if (!found) throw new AppError('auth.required')
  const next = createToken()
  const expiresAt = Math.min(at + IDLE_MS, found.session.endsAt)
  const isRotated = await app.storage.sessions.rotate({
    tokenHash: hashToken(token),
    next: { tokenHash: hashToken(next), expiresAt },
    graceMs: GRACE_MS,
    now: at,
  })
  if (!isRotated) return null
  await app.audit.note({ action: 'session.refreshed', caller: { username, address } })
  return { token: next, username: username ?? '', user: found.user, expiresAt, lastsMs: expiresAt - at }
}

/** Ends the session of a token, also when its user may not sign in any more. */
export async function signOut(app: App, token: string, { address }: Pick<AuthContext, 'address'>): Promise<void> {
  const found = await app.storage.sessions.find(hashToken(token), app.now())
  if (!found || !(await app.storage.sessions.end(found.session.id, found.user.id))) return
  await app.audit.note({ action: 'session.ended', caller: { username: found.user.username, address } })
}

/** Lists the sessions of the caller. */
export async function listSessions(app: App, { userId, sessionId }: AuthContext): Promise<Session[]> {
  const sessions = userId === null ? [] : await app.storage.sessions.list(userId, app.now())
  return sessions.map(({ id, client, createdAt, seenAt, expiresAt }) => {
    return { id, client, createdAt, seenAt, expiresAt, current: id === sessionId }
  })
}

/** Ends one session of the caller or, without `id`, all but the current one. Throws AppError `session.not_found`. */
export async function endSessions(app: App, id: string | undefined, caller: AuthContext): Promise<void> {
  const { userId, sessionId } = caller
  if (userId === null) throw new AppError('auth.required')
  const sessions =
    id === undefined
      ? await app.storage.sessions.endAll(userId, sessionId ?? undefined)
      : Number(await app.storage.sessions.end(id, userId))
  if (id !== undefined && sessions === 0) throw new AppError('session.not_found')
  if (sessions > 0) await app.audit.note({ action: 'session.ended', caller, detail: { sessions } })
}

/** Use of a token after its grace period ends the session: someone else has a copy of the token. */
async function findSession(app: App, token: string, address: string | null): Promise<FoundSession | null> {
  const found = await app.storage.sessions.find(hashToken(token), app.now())
  if (found?.token !== 'reused') return found
  const { session, user } = found
  if (await app.storage.sessions.end(session.id, user.id)) {
    await app.audit.note({
      action: 'session.reused',
      caller: { username: user.username, address },
      detail: { ended: true },
    })
  }
  return null
}

const createToken = (): string => randomToken(32)

/** A token has 256 random bits, so a fast hash is enough. */
const hashToken = (token: string): string => hash('sha256', `mayfly/v1/session${token}`)
