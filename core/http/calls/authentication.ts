/** The calls that open, renew and end sessions. */
import type { OpenedSession, SessionsService } from '../../accounts/sessions.js'
import type { AuthContext } from '../../caller.js'
import * as api from '../../shared/api.js'
import { call } from '../call.js'
import type { SessionCookies } from '../cookies.js'

export function authenticationCalls() {
  return [
    call({
      method: 'POST',
      path: '/authentication/signup',
      summary: 'Make an account for oneself and sign in',
      limit: 'sign-up',
      ownPages: 'always',
      body: api.SignUp,
      status: 200,
      answer: api.SignedIn,
      errors: [
        ...(['auth.sign_up_disabled', 'auth.users_disabled', 'auth.email_domain', 'auth.password_common'] as const),
        ...(['user.name_taken', 'user.email_taken', 'server.busy'] as const),
      ],
      handle: async ({ body, caller, client, cookies }, { accounts, sessions }) =>
        enter(await accounts.signUp(body, caller, client), cookies, caller, sessions),
    }),
    call({
      method: 'POST',
      path: '/authentication/signin',
      summary: 'Sign in',
      limit: 'sign-in',
      ownPages: 'always',
      body: api.SignIn,
      status: 200,
      answer: api.SignedIn,
      errors: ['auth.invalid_credentials', 'auth.users_disabled', 'server.busy'],
      handle: async ({ body, caller, client, cookies }, { signIn, sessions }) =>
        enter(await signIn.signIn(body, caller, client), cookies, caller, sessions),
    }),
    call({
      method: 'POST',
      path: '/authentication/setup',
      summary: 'Make the first administrator, with the code that the server printed, and sign in',
      limit: 'sign-in',
      ownPages: 'always',
      body: api.SetUp,
      status: 200,
      answer: api.SignedIn,
      errors: [
        ...(['auth.setup_code', 'auth.email_domain', 'auth.password_common'] as const),
        ...(['user.name_taken', 'user.email_taken', 'server.busy'] as const),
      ],
      handle: async ({ body, caller, client, cookies }, { setupCode, sessions }) =>
        enter(await setupCode.use(body, caller, client), cookies, caller, sessions),
    }),
    call({
      method: 'POST',
      path: '/authentication/signout',
      summary: 'End the session',
      limit: 'session',
      ownPages: 'always',
      status: 200,
      answer: api.SignedOut,
      async handle({ caller, cookies }, { sessions }) {
        if (cookies.token !== null) await sessions.signOut(cookies.token, caller)
        cookies.clear()
        return { signout: 'ok' as const }
      },
    }),
    call({
      method: 'GET',
      path: '/authentication/verify',
      summary: 'Who is calling',
      limit: 'session',
      needs: 'user',
      ownPages: 'signed-in',
      status: 200,
      answer: api.Verified,
      handle: ({ caller }, { accounts }) => accounts.verify(caller),
    }),
    call({
      method: 'GET',
      path: '/authentication/refresh',
      summary: 'Renew the session',
      limit: 'session-refresh',
      needs: 'session',
      ownPages: 'signed-in',
      status: 200,
      answer: api.SignedIn,
      async handle({ caller, cookies }, { sessions }) {
        const opened = await sessions.refresh(cookies.token ?? '', caller)
        if (opened) cookies.set(opened)
        return { username: caller.username ?? '' }
      },
    }),
  ]
}

/** A session that the browser had before ends: nothing that was known of it opens the new one. */
async function enter(opened: OpenedSession, cookies: SessionCookies, caller: AuthContext, sessions: SessionsService) {
  if (cookies.token !== null) await sessions.signOut(cookies.token, caller)
  cookies.set(opened)
  return { username: opened.username }
}
