/** Routes that start, renew and end sessions. */
import { z } from 'zod'
import { signUp } from '../../auth/create-account.js'
import { verifyAddress } from '../../auth/email-verification.js'
import { listMethods } from '../../auth/factors/verify-factor.js'
import { listResetAccess, requestReset, resetPassword } from '../../auth/password-reset.js'
import { verifyAccount } from '../../auth/read-account.js'
import { refreshSession, signOut } from '../../auth/sessions.js'
import { setUpInstance } from '../../auth/setup-code.js'
import { signIn } from '../../auth/sign-in.js'
import * as api from '../../shared/api/index.js'
import { startSession } from '../lib/start-session.js'
import { defineRoute, type RouteRow } from './route.js'

const signUpRoute = defineRoute({
  summary: 'Create an account and sign in',
  headers: { 'accept-language': z.string() },
  body: api.SignUp,
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
  async handle({ body, userAgent, header, ...request }, app) {
    const headers = { client: userAgent, acceptLanguage: header('accept-language') }
    return startSession(await signUp(app, body, request.caller, headers), request, app)
  },
})

const signInRoute = defineRoute({
  summary: 'Sign in, or begin a sign-in that needs a second factor',
  headers: { 'accept-language': z.string() },
  body: api.SignIn,
  response: api.SignInResponse,
  errors: ['auth.invalid_credentials', 'auth.users_disabled', 'auth.suspended', 'server.busy'],
  async handle({ body, userAgent, header, ...request }, app) {
    const headers = { client: userAgent, acceptLanguage: header('accept-language') }
    const { device: deviceCookie } = request.cookies
    const first = await signIn(app, body, request.caller, { ...headers, deviceCookie })
    if ('opened' in first) return startSession(first.opened, request, app)
    request.cookies.setPending(first.pending)
    return { secondFactor: { methods: await listMethods(app, first.user.id) } }
  },
})

const setUpRoute = defineRoute({
  summary: 'Create the first administrator with the setup code from the server log, and sign in',
  body: api.SetUp,
  response: api.SignedIn,
  errors: [
    'auth.setup_code',
    'auth.email_domain',
    'auth.password_common',
    'user.name_taken',
    'user.email_taken',
    'server.busy',
  ],
  async handle({ body, userAgent, ...request }, app) {
    return startSession(await setUpInstance(app, body, request.caller, userAgent), request, app)
  },
})

const requestResetRoute = defineRoute({
  summary: 'Send a link that sets a new password; the response is the same for every address',
  headers: { 'accept-language': z.string() },
  body: api.RequestReset,
  handle: ({ body, caller, header, cookies }, app) =>
    requestReset(app, body, caller, {
      acceptLanguage: header('accept-language'),
      deviceCookie: cookies.device,
    }),
})

const resetPasswordRoute = defineRoute({
  summary: 'Set a new password with the token of a link, and lock everyone out',
  body: api.ResetPassword,
  errors: ['auth.reset_link', 'auth.password_common', 'auth.password_same', 'server.busy'],
  handle: ({ body, caller }, app) => resetPassword(app, body, caller),
})

const listResetAccessRoute = defineRoute({
  summary: 'List the access to the account of a link, to choose the access that a new password does not end',
  body: api.ResetToken,
  response: api.ResetAccess,
  errors: ['auth.reset_link'],
  handle: ({ body }, app) => listResetAccess(app, body.token),
})

const verifyEmailRoute = defineRoute({
  summary: 'Verify an e-mail address with the token of a link',
  body: api.VerifyEmail,
  response: api.VerifiedEmail,
  errors: ['auth.verification_link'],
  handle: ({ body, caller }, app) => verifyAddress(app, body.token, caller),
})

const signOutRoute = defineRoute({
  summary: 'End the session',
  response: api.SignedOut,
  async handle({ caller, cookies }, app) {
    if (cookies.token !== null) await signOut(app, cookies.token, caller)
    cookies.clear()
    return { signout: 'ok' as const }
  },
})

const verifyRoute = defineRoute({
  summary: 'Get the signed-in user',
  response: api.Verified,
  handle: ({ caller }, app) => verifyAccount(app, caller),
})

const refreshSessionRoute = defineRoute({
  summary: 'Renew the session',
  response: api.SignedIn,
  async handle({ caller, cookies }, app) {
    const session = await refreshSession(app, cookies.token ?? '', caller)
    if (session) cookies.set(session)
    return { username: caller.username ?? '' }
  },
  // HEAD changes nothing.
  async head() {},
})

// biome-ignore format: one row per route
export const authenticationRoutes: RouteRow[] = [
  ['POST', '/authentication/signup',       'sign-up',         { sameOrigin: 'always', whileRestricted: true },                             signUpRoute],
  ['POST', '/authentication/signin',       'sign-in',         { sameOrigin: 'always', whileRestricted: true },                             signInRoute],
  ['POST', '/authentication/setup',        'sign-in',         { sameOrigin: 'always', whileRestricted: true },                             setUpRoute],
  ['POST', '/authentication/forgot',       'password-reset',  { sameOrigin: 'always', whileRestricted: true },                             requestResetRoute],
  ['POST', '/authentication/reset',        'sign-in',         { sameOrigin: 'always', whileRestricted: true },                             resetPasswordRoute],
  ['POST', '/authentication/reset/access', 'sign-in',         { sameOrigin: 'always', whileRestricted: true },                             listResetAccessRoute],
  ['POST', '/authentication/verify-email', 'sign-in',         { sameOrigin: 'always', whileRestricted: true },                             verifyEmailRoute],
  ['POST', '/authentication/signout',      'session',         { sameOrigin: 'always', whileRestricted: true },                             signOutRoute],
  ['GET',  '/authentication/verify',       'session',         { requires: 'user', sameOrigin: 'authenticated', whileRestricted: true },    verifyRoute],
  ['GET',  '/authentication/refresh',      'session-refresh', { requires: 'session', sameOrigin: 'authenticated', whileRestricted: true }, refreshSessionRoute],
]
