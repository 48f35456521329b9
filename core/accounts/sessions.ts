/** Sessions: opened at sign-in, known by a token that changes while they last, ended one by one or all at once. */
import { createHash, randomBytes } from 'node:crypto'
import { type AuthContext, toAuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { SessionStore } from '../contracts/sessions.js'
import type { User } from '../contracts/users.js'
import { AppError } from '../errors.js'
import type { SettingsService } from '../settings/service.js'
import type { Session } from '../shared/api.js'
import { checkMayEnter } from './entry.js'

const DAY_MS = 24 * 60 * 60_000
/** How long a session lasts after it was opened or refreshed, and after it was opened. */
const IDLE_MS = 7 * DAY_MS
const WHOLE_MS = 30 * DAY_MS
/** How long a token that was replaced still works, for tabs that have not heard of the new one. */
const GRACE_MS = 30_000
/** Of one user; one more ends the oldest. */
const MOST = 20
/** How exactly it is kept when a session was used. */
const SEEN_MS = 60_000

/** What a browser is given. */
export interface OpenedSession {
  /** 32 random bytes, base64url. Kept nowhere. */
  token: string
  username: string
  /** Epoch ms. */
  expiresAt: number
  /** Ms until then. */
  lastsMs: number
}

interface Parts {
  store: SessionStore
  instance: SettingsService
  audit: Audit
  /** Epoch ms. */
  now: () => number
}

export type SessionsService = ReturnType<typeof sessionsService>

export function sessionsService({ store, instance, audit, now }: Parts) {
  /** `client`: what it is opened with, for people. The caller has been told who they are by somebody who knows. */
  async function open({ id: userId, username }: User, client: string): Promise<OpenedSession> {
    const token = newToken()
    const at = now()
    const expiresAt = at + IDLE_MS
    const session = {
      ...{ id: randomBytes(16).toString('base64url'), userId, tokenHash: hashOf(token), client },
      ...{ createdAt: at, seenAt: at, expiresAt, endsAt: at + WHOLE_MS },
    }
    await store.open(session, MOST, at)
    return { token, username, expiresAt, lastsMs: IDLE_MS }
  }

  /** Null for no session. One whose token was replaced long ago ends: somebody else has kept a copy. */
  async function found(token: string, address: string | null) {
    const it = await store.find(hashOf(token), now())
    if (it?.token !== 'reused') return it
    const { session, user } = it
    if (await store.end(session.id, user.id)) {
      await audit({ action: 'session.reused', caller: { username: user.username, address }, detail: { ended: true } })
    }
    return null
  }

  /** Who comes with this token; null: nobody. Throws AppError `auth.users_disabled`. */
  async function identify(token: string, address: string | null): Promise<AuthContext | null> {
    const it = await found(token, address)
    if (!it) return null
    const { session, user } = it
    const settings = await instance.current()
    checkMayEnter(user, settings)
    if (user.role !== 'admin' && session.createdAt <= settings.usersDisabledAt) return null
    if (now() - session.seenAt >= SEEN_MS) await store.seen(session.id, now())
    return toAuthContext(user, { address, sessionId: session.id })
  }

  /** A new token for the session. Null: another tab was faster, and the browser has the new one already. */
  async function refresh(token: string, { username, address }: AuthContext): Promise<OpenedSession | null> {
    const at = now()
    const it = await found(token, address)
    if (!it) throw new AppError('auth.required')
    const next = newToken()
    const expiresAt = Math.min(at + IDLE_MS, it.session.endsAt)
    const rotated = await store.rotate(hashOf(token), { tokenHash: hashOf(next), expiresAt }, GRACE_MS, at)
    if (rotated) await audit({ action: 'session.refreshed', caller: { username, address } })
    return rotated ? { token: next, username: username ?? '', expiresAt, lastsMs: expiresAt - at } : null
  }

  /** Whoever has the token may end the session, also when they may not use it. */
  async function signOut(token: string, { address }: Pick<AuthContext, 'address'>): Promise<void> {
    const it = await store.find(hashOf(token), now())
    if (!it || !(await store.end(it.session.id, it.user.id))) return
    await audit({ action: 'session.ended', caller: { username: it.user.username, address } })
  }

  async function list({ userId, sessionId }: AuthContext): Promise<Session[]> {
    const all = userId === null ? [] : await store.list(userId, now())
    return all.map(({ id, client, createdAt, seenAt, expiresAt }) => {
      return { id, client, createdAt, seenAt, expiresAt, current: id === sessionId }
    })
  }

  /** Ends one session of the caller's, or without `id` all but the one that asks. */
  async function end(id: string | undefined, caller: AuthContext): Promise<void> {
    const { userId, sessionId } = caller
    if (userId === null) throw new AppError('auth.required')
    const sessions =
      id === undefined ? await store.endAll(userId, sessionId ?? undefined) : Number(await store.end(id, userId))
    if (id !== undefined && sessions === 0) throw new AppError('session.not_found')
    if (sessions > 0) await audit({ action: 'session.ended', caller, detail: { sessions } })
  }

  return { open, identify, refresh, signOut, list, end }
}

const newToken = (): string => randomBytes(32).toString('base64url')

/** A token has 256 bits of chance, so a fast hash is enough. */
const hashOf = (token: string): string => createHash('sha256').update(`mayfly/v1/session${token}`).digest('hex')
