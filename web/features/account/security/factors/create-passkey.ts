import { browserSupportsWebAuthn, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { createPasskeyOptions } from './factors-api.js'

/** Why the browser created no passkey: the end of a locale key below `security:passkeys`. */
type Reason = 'cancelled' | 'exists' | 'unsupported'

export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  constructor(
    readonly reason: Reason,
    options?: ErrorOptions,
  ) {
    super(reason, options)
  }
}

/**
 * Lets the browser ask the user and create a passkey, and returns its public data for the server. Rejects with
 * PasskeyError, or an error of the API.
 */
export async function createPasskey() {
  // Pages on plain http have no WebAuthn either.
  if (!browserSupportsWebAuthn()) throw new PasskeyError('unsupported')
  const optionsJSON = await createPasskeyOptions()
  try {
    return await startRegistration({ optionsJSON })
  } catch (cause) {
    const isKnown = cause instanceof WebAuthnError && cause.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new PasskeyError(isKnown ? 'exists' : 'cancelled', { cause })
  }
}
