/** API requests of users about their passkeys, authenticator app and recovery codes. */
import type { AddAuthenticator, AddPasskey, RenamePasskey } from '#shared/api'
import {
  AddedAuthenticator,
  AddedPasskey,
  AuthenticatorSetup,
  Factors,
  PasskeyCreation,
  RecoveryCodes,
} from '#shared/response-schemas/factors-responses'
import { requestJson } from '../../../../lib/account-request.js'

const PASSKEYS = '/account/factors/passkeys'
const AUTHENTICATOR = '/account/factors/authenticator'

export const listFactors = () => requestJson({ response: Factors, method: 'GET', path: '/account/factors' })

export const createPasskeyOptions = () =>
  requestJson({ response: PasskeyCreation, method: 'POST', path: `${PASSKEYS}/options` })
export const addPasskey = (body: AddPasskey) =>
  requestJson({ response: AddedPasskey, method: 'POST', path: PASSKEYS, body })
export const renamePasskey = (body: RenamePasskey) => requestJson({ method: 'PUT', path: PASSKEYS, body })
export const removePasskey = (id: string) => requestJson({ method: 'DELETE', path: PASSKEYS, body: { id } })

export const startAuthenticatorSetup = () =>
  requestJson({ response: AuthenticatorSetup, method: 'POST', path: `${AUTHENTICATOR}/options` })
export const addAuthenticator = (body: AddAuthenticator) =>
  requestJson({ response: AddedAuthenticator, method: 'POST', path: AUTHENTICATOR, body })
export const removeAuthenticator = () => requestJson({ method: 'DELETE', path: AUTHENTICATOR })

/** The earlier codes stop working. */
export const createRecoveryCodes = () =>
  requestJson({ response: RecoveryCodes, method: 'POST', path: '/account/factors/recovery-codes' })
