/** API requests for signing in and out. */
import type { RequestReset, ResetPassword, SignIn, SignUp } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { ResetAccess, SignedIn } from '#shared/response-schemas/account-responses'
import { PasskeyRequest, SecondStepOptions, SignInResponse } from '#shared/response-schemas/factors-responses'
import type { Proof } from '../../forms/proof/proof-method.js'
import { requestJson } from '../../lib/api.js'
import type { AuthenticationResponseJSON } from '../../lib/ask-for-passkey.js'

/** Status 401 always means wrong credentials, also when the response says nothing more. */
export const signIn = (body: SignIn) =>
  requestJson({ response: SignInResponse, method: 'POST', path: '/authentication/signin', body }).catch((error) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw new ApiError({ ...error.body, code: 'auth.invalid_credentials' })
  })
/** A new challenge for a sign-in with any passkey of this site. */
export const loadPasskeyRequest = () =>
  requestJson({ response: PasskeyRequest, method: 'POST', path: '/authentication/passkey/options' })
export const signInWithPasskey = (passkey: AuthenticationResponseJSON) =>
  requestJson({ response: SignedIn, method: 'POST', path: '/authentication/passkey', body: { passkey } })
/** The methods of the account that is signing in, and a new challenge for its passkeys. */
export const loadSecondStep = () =>
  requestJson({ response: SecondStepOptions, method: 'POST', path: '/authentication/second-factor/options' })
export const finishSignIn = (body: Proof) =>
  requestJson({ response: SignedIn, method: 'POST', path: '/authentication/second-factor', body })
export const signUp = (body: SignUp) =>
  requestJson({ response: SignedIn, method: 'POST', path: '/authentication/signup', body })
export const requestPasswordReset = (body: RequestReset) =>
  requestJson({ method: 'POST', path: '/authentication/forgot', body })
/** `token`: from the link of an e-mail. */
export const resetPassword = (body: ResetPassword) =>
  requestJson({ method: 'POST', path: '/authentication/reset', body })
/** The access to the account of the link, and its rules for passwords. */
export const listResetAccess = (token: string) =>
  requestJson({ response: ResetAccess, method: 'POST', path: '/authentication/reset/access', body: { token } })
export const signOut = () => requestJson({ method: 'POST', path: '/authentication/signout' })
/** Extends the session. Rejects with ApiError 401 when there is none. */
export const refreshSession = () => requestJson({ response: SignedIn, method: 'GET', path: '/authentication/refresh' })
