/** API requests by which users prove who they are. */
import { Identities } from '#shared/response-schemas/account-responses'
import { ProofOptions } from '#shared/response-schemas/factors-responses'
import type { Proof } from '../../forms/proof/proof-method.js'
import { requestJson } from '../../lib/api.js'

/** The methods of the account, and a new challenge for its passkeys. */
export const loadProofOptions = () =>
  requestJson({ response: ProofOptions, method: 'POST', path: '/account/proof/options' })

export async function loadPasskeyRequest() {
  const { passkey } = await loadProofOptions()
  return passkey
}

export const sendProof = (body: Proof) => requestJson({ method: 'POST', path: '/account/proof', body })
export const listIdentities = () => requestJson({ response: Identities, method: 'GET', path: '/account/identities' })
