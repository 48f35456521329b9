/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/factors.js'
import type { JsonSchemaOf } from '../check-json.js'

export type AddedAuthenticator = z.infer<typeof api.AddedAuthenticator>
export const AddedAuthenticator: JsonSchemaOf<AddedAuthenticator> = {"type":"object","properties":{"recoveryCodes":{"anyOf":[{"type":"array","items":{"type":"string","maxLength":2000}},{"type":"null"}]}}}

export type AddedPasskey = z.infer<typeof api.AddedPasskey>
export const AddedPasskey: JsonSchemaOf<AddedPasskey> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"recoveryCodes":{"anyOf":[{"type":"array","items":{"type":"string","maxLength":2000}},{"type":"null"}]}}}

export type AuthenticatorSetup = z.infer<typeof api.AuthenticatorSetup>
export const AuthenticatorSetup: JsonSchemaOf<AuthenticatorSetup> = {"type":"object","properties":{"secret":{"type":"string","maxLength":2000},"uri":{"type":"string","maxLength":2000},"setup":{"type":"string","maxLength":2000}}}

export type Factors = z.infer<typeof api.Factors>
export const Factors: JsonSchemaOf<Factors> = {"type":"object","properties":{"passkeys":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"name":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]},"backedUp":{"type":"boolean"}}}},"authenticator":{"anyOf":[{"type":"object","properties":{"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}},{"type":"null"}]},"recoveryCodes":{"type":"integer","minimum":0},"policy":{"type":"string","enum":["off","optional","required"]},"graceEndsAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}

export type PasskeyCreation = z.infer<typeof api.PasskeyCreation>
export const PasskeyCreation: JsonSchemaOf<PasskeyCreation> = {"type":"object","properties":{"rp":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000}}},"user":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000},"displayName":{"type":"string","maxLength":2000}}},"challenge":{"type":"string","maxLength":2000},"pubKeyCredParams":{"type":"array","items":{"type":"object","properties":{"type":{"type":"string","const":"public-key"},"alg":{"type":"integer"}}}},"timeout":{"type":"integer","minimum":0},"excludeCredentials":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"type":{"type":"string","const":"public-key"},"transports":{"type":"array","items":{"type":"string","maxLength":2000}}}}},"authenticatorSelection":{"type":"object","properties":{"residentKey":{"type":"string","const":"required"},"requireResidentKey":{"type":"boolean","const":true},"userVerification":{"type":"string","const":"required"}}},"attestation":{"type":"string","const":"none"}}}

export type PasskeyRequest = z.infer<typeof api.PasskeyRequest>
export const PasskeyRequest: JsonSchemaOf<PasskeyRequest> = {"type":"object","properties":{"challenge":{"type":"string","maxLength":2000},"rpId":{"type":"string","maxLength":2000},"timeout":{"type":"integer","minimum":0},"userVerification":{"type":"string","const":"required"},"allowCredentials":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"type":{"type":"string","const":"public-key"},"transports":{"type":"array","items":{"type":"string","maxLength":2000}}}}}}}

export type ProofOptions = z.infer<typeof api.ProofOptions>
export const ProofOptions: JsonSchemaOf<ProofOptions> = {"type":"object","properties":{"methods":{"type":"array","items":{"type":"string","enum":["password","authenticator","passkey","recovery-code","sign-in"]}},"passkey":{"anyOf":[{"type":"object","properties":{"challenge":{"type":"string","maxLength":2000},"rpId":{"type":"string","maxLength":2000},"timeout":{"type":"integer","minimum":0},"userVerification":{"type":"string","const":"required"},"allowCredentials":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"type":{"type":"string","const":"public-key"},"transports":{"type":"array","items":{"type":"string","maxLength":2000}}}}}}},{"type":"null"}]}}}

export type RecoveryCodes = z.infer<typeof api.RecoveryCodes>
export const RecoveryCodes: JsonSchemaOf<RecoveryCodes> = {"type":"object","properties":{"recoveryCodes":{"type":"array","items":{"type":"string","maxLength":2000}}}}

export type SecondStepOptions = z.infer<typeof api.SecondStepOptions>
export const SecondStepOptions: JsonSchemaOf<SecondStepOptions> = {"type":"object","properties":{"methods":{"type":"array","items":{"type":"string","enum":["authenticator","passkey","recovery-code"]}},"passkey":{"anyOf":[{"type":"object","properties":{"challenge":{"type":"string","maxLength":2000},"rpId":{"type":"string","maxLength":2000},"timeout":{"type":"integer","minimum":0},"userVerification":{"type":"string","const":"required"},"allowCredentials":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"type":{"type":"string","const":"public-key"},"transports":{"type":"array","items":{"type":"string","maxLength":2000}}}}}}},{"type":"null"}]}}}

export type SignInResponse = z.infer<typeof api.SignInResponse>
export const SignInResponse: JsonSchemaOf<SignInResponse> = {"anyOf":[{"type":"object","properties":{"username":{"type":"string","maxLength":2000}}},{"type":"object","properties":{"secondFactor":{"type":"object","properties":{"methods":{"type":"array","items":{"type":"string","enum":["authenticator","passkey","recovery-code"]}}}}}}]}
