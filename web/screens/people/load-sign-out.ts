import { ApiError } from '#shared/client'
import { loginChanged } from '../../login.js'
import { signOut } from './calls.js'

const COOKIES = ['public', '__Host-public']

/** `here`: the server could not be told, so the session goes on there until its time is over. */
export interface SignedOut {
  outcome: 'ended' | 'here'
}

/** Signs out, whatever the server says to it. */
export async function signOutNow(): Promise<SignedOut> {
  const isTold = await signOut().then(
    () => true,
    (error) => error instanceof ApiError && error.status === 401,
  )
  forgetLogin()
  return { outcome: isTold ? 'ended' : 'here' }
}

/** When the server cannot be told: nobody is signed in here any more, as far as pages show. */
function forgetLogin(): void {
  for (const name of COOKIES) {
    // biome-ignore lint/suspicious/noDocumentCookie: the API that replaces it is missing on plain http
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Strict${name.startsWith('__') ? '; Secure' : ''}`
  }
  loginChanged()
}
