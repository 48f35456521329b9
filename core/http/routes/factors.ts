/** Routes of second factors: of the caller's own account, the second step of a sign-in, passkey sign-in and proofs. */
import { z } from 'zod'
import {
  addAuthenticator,
  addPasskey,
  prepareAuthenticator,
  preparePasskey,
  readFactors,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
} from '../../auth/factors/manage-factors.js'
import { prepareProof, prove } from '../../auth/factors/prove.js'
import {
  finishSecondStep,
  preparePasskeySignIn,
  prepareSecondStep,
  type SignInRequest,
  signInByPasskey,
} from '../../auth/factors/second-step.js'
import * as api from '../../shared/api/index.js'
import type { SessionCookies } from '../lib/cookies.js'
import { startSession } from '../lib/start-session.js'
import { defineRoute, type Input, type RouteRow } from './route.js'

const prepareSecondStepRoute = defineRoute({
  summary: 'List the factors that the second step of a sign-in accepts',
  response: api.SecondStepOptions,
  errors: ['auth.second_step_expired'],
  handle: async ({ caller, cookies }, app) =>
    withChallenge(await prepareSecondStep(app, cookies.pending, caller), cookies),
})

const finishSecondStepRoute = defineRoute({
  summary: 'Finish a sign-in with a second factor',
  headers: { 'accept-language': z.string() },
  body: api.FinishSecondStep,
  response: api.SignedIn,
  errors: [
    'auth.second_step_expired',
    'auth.code_wrong',
    'auth.passkey_refused',
    'auth.unavailable',
    'auth.users_disabled',
    'auth.suspended',
  ],
  async handle({ body, ...request }, app) {
    const session = await finishSecondStep(app, body, request.caller, takeRequest(request))
    request.cookies.setPending(null)
    return startSession(session, request, app)
  },
})

const preparePasskeySignInRoute = defineRoute({
  summary: 'Get a challenge for a sign-in with a passkey',
  response: api.PasskeyRequest,
  async handle({ cookies }, app) {
    const { options, cookie } = preparePasskeySignIn(app)
    cookies.setChallenge(cookie)
    return options
  },
})

const signInByPasskeyRoute = defineRoute({
  summary: 'Sign in with a passkey',
  headers: { 'accept-language': z.string() },
  body: api.SignInByPasskey,
  response: api.SignedIn,
  errors: ['auth.passkey_refused', 'auth.users_disabled', 'auth.suspended'],
  async handle({ body, ...request }, app) {
    return startSession(await signInByPasskey(app, body.passkey, request.caller, takeRequest(request)), request, app)
  },
})

const readFactorsRoute = defineRoute({
  summary: 'List the second factors of the account',
  response: api.Factors,
  handle: ({ caller }, app) => readFactors(app, caller),
})

const preparePasskeyRoute = defineRoute({
  summary: 'Get a challenge for a new passkey',
  response: api.PasskeyCreation,
  async handle({ caller, cookies }, app) {
    const { options, cookie } = await preparePasskey(app, caller)
    cookies.setChallenge(cookie)
    return options
  },
})

const addPasskeyRoute = defineRoute({
  summary: 'Add a passkey; the first second factor ends all other sessions',
  body: api.AddPasskey,
  status: 201,
  response: api.AddedPasskey,
  errors: ['auth.passkey_refused'],
  handle: ({ body, caller, cookies }, app) => addPasskey(app, body, caller, takeChallenge(cookies)),
})

const renamePasskeyRoute = defineRoute({
  summary: 'Rename a passkey',
  body: api.RenamePasskey,
  errors: ['access.not_found'],
  handle: ({ body, caller }, app) => renamePasskey(app, body, caller),
})

const removePasskeyRoute = defineRoute({
  summary: 'Remove a passkey, unless it is the last second factor of an account that needs one',
  body: api.RemovePasskey,
  errors: ['access.not_found', 'auth.last_factor'],
  handle: ({ body, caller }, app) => removePasskey(app, body.id, caller),
})

const prepareAuthenticatorRoute = defineRoute({
  summary: 'Get a secret for an authenticator app; it is stored with its first code',
  response: api.AuthenticatorSetup,
  errors: ['auth.unavailable'],
  handle: ({ caller }, app) => prepareAuthenticator(app, caller),
})

const addAuthenticatorRoute = defineRoute({
  summary: 'Add an authenticator app with its first code; the first second factor ends all other sessions',
  body: api.AddAuthenticator,
  status: 201,
  response: api.AddedAuthenticator,
  errors: ['auth.code_wrong', 'auth.unavailable'],
  handle: ({ body, caller }, app) => addAuthenticator(app, body, caller),
})

const removeAuthenticatorRoute = defineRoute({
  summary: 'Remove the authenticator app, unless it is the last second factor of an account that needs one',
  errors: ['access.not_found', 'auth.last_factor'],
  handle: ({ caller }, app) => removeAuthenticator(app, caller),
})

const renewRecoveryCodesRoute = defineRoute({
  summary: 'Replace the recovery codes',
  response: api.RecoveryCodes,
  errors: ['access.not_found'],
  handle: ({ caller }, app) => renewRecoveryCodes(app, caller),
})

const prepareProofRoute = defineRoute({
  summary: 'List the ways to prove the presence of the user of the session',
  response: api.ProofOptions,
  handle: async ({ caller, cookies }, app) => withChallenge(await prepareProof(app, caller), cookies),
})

const proveRoute = defineRoute({
  summary: 'Prove the presence of the user of the session, which counts for ten minutes',
  body: api.Prove,
  errors: [
    'auth.password_wrong',
    'auth.code_wrong',
    'auth.passkey_refused',
    'auth.proof_required',
    'auth.unavailable',
    'server.busy',
  ],
  async handle({ body, caller, userAgent, cookies }, app) {
    const opened = await prove(app, body, caller, { client: userAgent, challenge: takeChallenge(cookies) })
    if (opened) await startSession(opened, { cookies, caller }, app)
  },
})

/** Changes of second factors. Also of accounts that have to add one first. */
const CHANGE = { requires: 'interactive', whileRestricted: true, proof: 'always' } as const

// biome-ignore format: one row per route
export const factorRoutes: RouteRow[] = [
  ['POST',   '/authentication/second-factor/options', 'passkey-options', { sameOrigin: 'always', whileRestricted: true }, prepareSecondStepRoute],
  ['POST',   '/authentication/second-factor',         'sign-in', { sameOrigin: 'always', whileRestricted: true }, finishSecondStepRoute],
  ['POST',   '/authentication/passkey/options',       'passkey-options', { sameOrigin: 'always', whileRestricted: true }, preparePasskeySignInRoute],
  ['POST',   '/authentication/passkey',               'sign-in', { sameOrigin: 'always', whileRestricted: true }, signInByPasskeyRoute],
  ['GET',    '/account/factors',                       'account', { requires: 'account', whileRestricted: true }, readFactorsRoute],
  ['POST',   '/account/factors/passkeys/options',      'account', CHANGE, preparePasskeyRoute],
  ['POST',   '/account/factors/passkeys',              'account', CHANGE, addPasskeyRoute],
  ['PUT',    '/account/factors/passkeys',              'account', { requires: 'interactive' }, renamePasskeyRoute],
  ['DELETE', '/account/factors/passkeys',              'account', CHANGE, removePasskeyRoute],
  ['POST',   '/account/factors/authenticator/options', 'account', CHANGE, prepareAuthenticatorRoute],
  ['POST',   '/account/factors/authenticator',         'account', CHANGE, addAuthenticatorRoute],
  ['DELETE', '/account/factors/authenticator',         'account', CHANGE, removeAuthenticatorRoute],
  ['POST',   '/account/factors/recovery-codes',        'account', CHANGE, renewRecoveryCodesRoute],
  ['POST',   '/account/proof/options',                 'account', { requires: 'interactive', whileRestricted: true }, prepareProofRoute],
  ['POST',   '/account/proof',                         'proof', { requires: 'interactive', whileRestricted: true }, proveRoute],
]

/** Deletes the cookie of the challenge, which is accepted once. */
function takeChallenge(cookies: SessionCookies): string | null {
  if (cookies.challenge !== null) cookies.setChallenge(null)
  return cookies.challenge
}

function takeRequest({ cookies, userAgent, header }: Pick<Input, 'cookies' | 'userAgent' | 'header'>): SignInRequest {
  const { pending, device: deviceCookie } = cookies
  const challenge = takeChallenge(cookies)
  return { pending, challenge, deviceCookie, client: userAgent, acceptLanguage: header('accept-language') }
}

function withChallenge<Options extends object>(
  { cookie, ...options }: Options & { cookie: string | null },
  cookies: SessionCookies,
) {
  if (cookie !== null) cookies.setChallenge(cookie)
  return options
}
