/** API requests for signing in and out. */
import type { SignedIn, SignIn, SignUp } from '#shared/api'
import { requestJson } from '../../lib/api.js'

export const signIn = (body: SignIn) => requestJson<SignedIn>({ method: 'POST', path: '/authentication/signin', body })
export const signUp = (body: SignUp) => requestJson<SignedIn>({ method: 'POST', path: '/authentication/signup', body })
export const signOut = () => requestJson<unknown>({ method: 'POST', path: '/authentication/signout' })
/** Extends the session. Rejects with ApiError 401 when there is none. */
export const refreshSession = () => requestJson<SignedIn>({ method: 'GET', path: '/authentication/refresh' })
