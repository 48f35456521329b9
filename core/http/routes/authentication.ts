/** Routes that start, renew and end sessions. */
import { z } from 'zod'
import type { OpenedSession } from '../../auth/session-service.js'
import type { Services } from '../../services/create-services.js'
import * as api from '../../shared/api/index.js'
import { defineRoute, type Input, type RouteRow } from './route.js'

const signUp = defineRoute({
  summary: 'Create an account and sign in',
  headers: { 'accept-language': z.string() },
  body: api.SignUp,
  status: 200,
  response: api.SignedIn,
  errors: [
    'auth.sign_up_disabled',
    'auth.users_disabled',
    'auth.email_domain',
    'auth.password_common',
    'user.name_taken',
    'user.email_taken',
    'server.busy',
  ],
  async handle({ body, userAgent, header, ...request }, services) {
    const headers = { client: userAgent, acceptLanguage: header('accept-language') }
    return startSession(await services.accounts.signUp(body, request.caller, headers), request, services)
  },
})

const signIn = defineRoute({
  summary: 'Sign in',
  headers: { 'accept-language': z.string() },
  body: api.SignIn,
  status: 200,
  response: api.SignedIn,
  errors: ['auth.invalid_credentials', 'auth.users_disabled', 'server.busy'],
  async handle({ body, userAgent, header, ...request }, services) {
    const headers = { client: userAgent, acceptLanguage: header('accept-language') }
    const { device: deviceCookie } = request.cookies
    const session = await services.signIn.signIn(body, request.caller, { ...headers, deviceCookie })
    return startSession(session, request, services)
  },
})

const setUp = defineRoute({
  summary: 'Create the first administrator with the setup code from the server log, and sign in',
  body: api.SetUp,
  status: 200,
  response: api.SignedIn,
  errors: [
    'auth.setup_code',
    'auth.email_domain',
    'auth.password_common',
    'user.name_taken',
    'user.email_taken',
    'server.busy',
  ],
  async handle({ body, userAgent, ...request }, services) {
    return startSession(await services.setupCode.use(body, request.caller, userAgent), request, services)
  },
})

const requestReset = defineRoute({
  summary: 'Send a link that sets a new password; the response is the same for every address',
  headers: { 'accept-language': z.string() },
  body: api.RequestReset,
  status: 204,
  handle: ({ body, caller, header }, { passwordReset }) =>
    passwordReset.request(body, caller, header('accept-language')),
})

const resetPassword = defineRoute({
  summary: 'Set a new password with the token of a link, which ends all sessions and deletes all API tokens',
  body: api.ResetPassword,
  status: 204,
  errors: ['auth.reset_link', 'auth.password_common', 'server.busy'],
  handle: ({ body, caller }, { passwordReset }) => passwordReset.reset(body, caller),
})

const verifyEmail = defineRoute({
  summary: 'Verify an e-mail address with the token of a link',
  body: api.VerifyEmail,
  status: 204,
  errors: ['auth.verification_link'],
  handle: ({ body, caller }, { verification }) => verification.verify(body.token, caller),
})

const signOut = defineRoute({
  summary: 'End the session',
  status: 200,
  response: api.SignedOut,
  async handle({ caller, cookies }, { sessions }) {
    if (cookies.token !== null) await sessions.signOut(cookies.token, caller)
    cookies.clear()
    return { signout: 'ok' as const }
  },
})

const verify = defineRoute({
  summary: 'Get the signed-in user',
  status: 200,
  response: api.Verified,
  handle: ({ caller }, { accounts }) => accounts.verify(caller),
})

const refreshSession = defineRoute({
  summary: 'Renew the session',
  status: 200,
  response: api.SignedIn,
  async handle({ caller, cookies }, { sessions }) {
    const session = await sessions.refresh(cookies.token ?? '', caller)
    if (session) cookies.set(session)
    return { username: caller.username ?? '' }
  },
  // HEAD changes nothing.
  async head() {},
})

// biome-ignore format: one row per route
export const authenticationRoutes: RouteRow[] = [
  ['POST', '/authentication/signup',  'sign-up',         { sameOrigin: 'always' },                             signUp],
  ['POST', '/authentication/signin',  'sign-in',         { sameOrigin: 'always' },                             signIn],
  ['POST', '/authentication/setup',   'sign-in',         { sameOrigin: 'always' },                             setUp],
  ['POST', '/authentication/forgot',  'password-reset',  { sameOrigin: 'always' },                             requestReset],
  ['POST', '/authentication/reset',   'sign-in',         { sameOrigin: 'always' },                             resetPassword],
  ['POST', '/authentication/verify-email', 'sign-in',   { sameOrigin: 'always' },                             verifyEmail],
  ['POST', '/authentication/signout', 'session',         { sameOrigin: 'always' },                             signOut],
  ['GET',  '/authentication/verify',  'session',         { requires: 'user', sameOrigin: 'authenticated' },    verify],
  ['GET',  '/authentication/refresh', 'session-refresh', { requires: 'session', sameOrigin: 'authenticated' }, refreshSession],
]

/** Sets the cookies of the new session and ends the previous one, so that a stolen old token is worthless. */
async function startSession(
  session: OpenedSession,
  { cookies, caller }: Pick<Input, 'cookies' | 'caller'>,
  { sessions, devices }: Services,
) {
  if (cookies.token !== null) await sessions.signOut(cookies.token, caller)
  cookies.set(session)
  cookies.setDevice(devices.issue(session.username))
  return { username: session.username }
}
