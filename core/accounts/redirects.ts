/** Signing in at another site: the browser goes there with a question, and comes back with an answer to exactly that. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { AuthContext } from '../caller.js'
import type { Audit } from '../contracts/audit.js'
import type { AuthProvider, RedirectState } from '../contracts/auth-provider.js'
import type { LimitStore } from '../contracts/limits.js'
import type { UserStore } from '../contracts/users.js'
import { AppError, isAppError } from '../errors.js'
import { withTimeout } from '../lib/with-timeout.js'
import { errorName, type Log } from '../log.js'
import type { OutsideService } from './outside.js'
import { sealer } from './sealed.js'
import type { OpenedSession } from './sessions.js'
import type { SignInService } from './sign-in.js'

/** How long somebody may take to sign in over there. */
export const REDIRECT_MS = 10 * 60_000
/** How long a provider may take to answer us. */
const ANSWER_WITHIN_MS = 10_000

interface Parts {
  providers: AuthProvider[]
  users: Pick<UserStore, 'get'>
  outside: OutsideService
  signIn: Pick<SignInService, 'enter'>
  limits: Pick<LimitStore, 'take'>
  /** Of the instance: 32 bytes. */
  key: Buffer
  publicUrl: string
  audit: Audit
  log: Log
  /** Epoch ms. */
  now: () => number
}

/** What the browser keeps meanwhile, sealed. */
interface Kept extends RedirectState {
  provider: string
  /** Where to go afterwards: a path of this instance. */
  next: string
  /** Epoch ms. */
  endsAt: number
  /** The session that the browser had, which the way back does not show. */
  session: string | null
  /** Whose account is to be connected; null: sign in. */
  connect: string | null
}

export interface Returned {
  next: string
  /** The new session; null when an account was connected. */
  opened: OpenedSession | null
  /** Token of the session that the browser had. */
  session: string | null
}

export type RedirectsService = ReturnType<typeof redirectsService>

export function redirectsService({ providers, users, outside, signIn, limits, key, publicUrl, ...parts }: Parts) {
  const { audit, log, now } = parts
  const { seal, open } = sealer(key)
  const callbackOf = ({ id }: AuthProvider) => `${publicUrl}/api/v1/authentication/${id}/callback`

  /** Throws AppError `request.not_found`. */
  function named(id: string): AuthProvider & { redirect: NonNullable<AuthProvider['redirect']> } {
    const provider = providers.find((each) => each.id === id)
    if (!provider?.redirect) throw new AppError('request.not_found')
    return { ...provider, redirect: provider.redirect }
  }

  /** Where to send the browser, and what it has to keep. Throws AppError `request.not_found` or `auth.unavailable`. */
  async function start(
    id: string,
    { next, session, connect }: Pick<Kept, 'next' | 'session' | 'connect'>,
  ): Promise<{ url: string; kept: string }> {
    const provider = named(id)
    const { url, state, kept } = await answerOf(provider, provider.redirect.start(callbackOf(provider)))
    const all: Kept = { provider: id, state, kept, next, session, connect, endsAt: now() + REDIRECT_MS }
    return { url: url.href, kept: seal(JSON.stringify(all)) }
  }

  /**
   * `sealed`: what the browser kept. Throws AppError `auth.refused` when it did not ask this, or did too long ago, or has
   * had its answer; and what `finish`, `accountOf` and `enter` throw.
   */
  async function finish(
    id: string,
    query: URLSearchParams,
    sealed: string | null,
    visitor: AuthContext,
    client: string,
  ): Promise<Returned> {
    const provider = named(id)
    try {
      const kept = await asked(id, query.get('state') ?? '', sealed)
      const callback = new URL(`${callbackOf(provider)}?${query}`)
      const { next, session, connect } = kept
      const identity = await answerOf(provider, provider.redirect.finish(callback, kept))
      if (connect === null) {
        const user = await outside.accountOf(provider, identity, visitor)
        return { next, session, opened: await signIn.enter(user, visitor, client) }
      }
      const user = await users.get(connect)
      if (!user) throw new AppError('auth.refused')
      await outside.connect(user, provider, identity, visitor)
      return { next, session: null, opened: null }
    } catch (error) {
      const code = isAppError(error) ? error.code : 'server.error'
      await audit({ action: 'session.refused', caller: visitor, detail: { provider: id, code } })
      throw error
    }
  }

  /** What was asked with this state: by this browser, of this provider, lately, and not answered yet. */
  async function asked(id: string, state: string, sealed: string | null): Promise<Kept> {
    const text = sealed === null ? null : open(sealed)
    const kept: Kept | null = text === null ? null : JSON.parse(text)
    if (!kept || kept.provider !== id || !isSame(kept.state, state) || kept.endsAt <= now()) {
      throw new AppError('auth.refused')
    }
    // The counters are shared by all processes, and exact: one of however many that come with the same answer.
    const name = `asked${digest(state).toString('hex').slice(0, 48)}`
    const [taken] = await limits.take([{ name, cost: 1, most: 1, windowMs: REDIRECT_MS }], now())
    if (!taken?.granted) throw new AppError('auth.refused')
    return kept
  }

  /** Waits for a provider. A timeout, or an error that is no AppError, throws AppError `auth.unavailable`. */
  async function answerOf<T>({ id }: AuthProvider, answer: Promise<T>): Promise<T> {
    try {
      return await withTimeout(ANSWER_WITHIN_MS, answer)
    } catch (error) {
      if (isAppError(error)) throw error
      log.error('auth provider failed', { provider: id, error: errorName(error) })
      throw new AppError('auth.unavailable')
    }
  }

  return { start, finish }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
