/** The calls of people about themselves. Each is tried once: somebody is waiting who can try again. */
import type { SignedIn, SignIn, SignUp } from '#shared/api'
import { requestJson } from '../../lib/api.js'

export const signIn = (body: SignIn) => requestJson<SignedIn>({ method: 'POST', path: '/authentication/signin', body })
export const signUp = (body: SignUp) => requestJson<SignedIn>({ method: 'POST', path: '/authentication/signup', body })
export const signOut = () => requestJson<unknown>({ method: 'POST', path: '/authentication/signout' })
/** Rejects with ApiError 401 when there is no session to make longer. */
export const refreshSession = () => requestJson<SignedIn>({ method: 'GET', path: '/authentication/refresh' })
