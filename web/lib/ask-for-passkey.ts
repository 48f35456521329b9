/**
 * Uses passkeys: https://www.w3.org/TR/webauthn-3/. Null: the user cancelled. Rejects with ApiError
 * `auth.passkey_refused`.
 */
import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { PasskeyRequest } from '#shared/api'
import { ApiError } from '#shared/client/client'

/** Errors that browsers throw when the user cancels, has no passkey, takes too long, or when another request starts. */
const CANCELLED = new Set(['NotAllowedError', 'AbortError'])

/** Lets the browser ask the user for a passkey. Ends an earlier request. */
export const askForPasskey = (request: PasskeyRequest) => authenticate(request, false)

/** Whether the browser can list passkeys at a field with `autocomplete="username webauthn"`. */
export const canOfferPasskeys = browserSupportsWebAuthnAutofill

/** Lists passkeys at that field, until the user chooses one or `stopAsking` is called. */
export const offerPasskeys = (request: PasskeyRequest) => authenticate(request, true)

export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony()

async function authenticate(request: PasskeyRequest, useBrowserAutofill: boolean) {
  try {
    return await startAuthentication({
      optionsJSON: request as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill,
    })
  } catch (error) {
    if (error instanceof Error && CANCELLED.has(error.name)) return null
    throw new ApiError({ statusCode: 0, error: '', code: 'auth.passkey_refused', message: '' })
  }
}

export type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
