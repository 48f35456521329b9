/** Passkeys: https://www.w3.org/TR/webauthn-3/ */
import { createLazyPart } from '../../lib/lazy-part.js'

/** Passkeys need https, or localhost. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

export const passkeyPart = createLazyPart(() => import('../../lib/ask-for-passkey.js'))
