import type { App } from '../../app.js'
import { issueDeviceCookie } from '../../auth/known-devices.js'
import { type OpenedSession, signOut } from '../../auth/sessions.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { SessionCookies } from './cookies.js'

/** Sets the cookies of the new session and ends the previous one, so that a stolen old token is worthless. */
export async function startSession(
  session: OpenedSession,
  { cookies, caller }: { cookies: SessionCookies; caller: AuthContext },
  app: App,
): Promise<{ username: string }> {
  if (cookies.token !== null) await signOut(app, cookies.token, caller)
  cookies.set(session)
  cookies.setDevice(issueDeviceCookie(app, session.user))
  return { username: session.username }
}
