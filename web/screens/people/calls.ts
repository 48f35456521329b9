/** The calls of people about themselves. Each is tried once: somebody is waiting who can try again. */
import type { SignedIn, SignIn, SignUp } from '#shared/api'
import { createRequest } from '#shared/request'
import { site } from '../../site.js'

const { json } = createRequest({ server: site.base })

export const signIn = (body: SignIn) => json<SignedIn>({ method: 'POST', path: '/authentication/signin', body })
export const signUp = (body: SignUp) => json<SignedIn>({ method: 'POST', path: '/authentication/signup', body })
export const signOut = () => json<unknown>({ method: 'POST', path: '/authentication/signout' })
/** Rejects with ApiError 401 when there is no session to make longer. */
export const refresh = () => json<SignedIn>({ method: 'GET', path: '/authentication/refresh' })
