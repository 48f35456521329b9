/** Schemas of second factors: passkeys, authenticator app, recovery codes, the second step of a sign-in, and proofs. */
import { z } from 'zod'
import { PASSKEY_NAME_MAX } from '../account-limits.js'
import { SignedIn } from './account.js'
import { accountPassword, count, id, isOneLine, isWellFormed, shortText, time } from './common.js'
import { limitedList } from './limited-list.js'

/** Bytes as base64url. `max`: in characters. */
const bytes = (max: number) =>
  z
    .string()
    .max(max, { abort: true })
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url')

/** 1023 bytes. */
const credentialId = bytes(1364)

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
}

/** Result of `navigator.credentials.create` in browsers. Further fields are ignored. */
const NewPasskey = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4096),
      attestationObject: bytes(16_384),
      transports: limitedList(z.string().regex(/^[a-z-]{1,16}$/, 'must be a transport'), { max: 8 }).optional(),
    }),
  })
  .describe('`RegistrationResponseJSON` of Web Authentication')

export type NewPasskey = z.output<typeof NewPasskey>

/** Result of `navigator.credentials.get` in browsers. Further fields are ignored. */
const UsedPasskey = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4096),
      authenticatorData: bytes(4096),
      signature: bytes(8192),
      userHandle: bytes(128).nullish(),
    }),
  })
  .describe('`AuthenticationResponseJSON` of Web Authentication')

export type UsedPasskey = z.output<typeof UsedPasskey>

const code = z
  .string()
  .regex(/^\d{3} ?\d{3}$/, 'must be 6 digits')
  .meta({ examples: ['287082'] })
  .describe('of the authenticator app')

const recoveryCode = z.string().min(1).max(64).describe('one of the recovery codes')

/** Exactly one of the fields. */
const exactlyOne = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).superRefine((value, ctx) => {
    if (Object.values(value).filter((each) => each !== undefined).length === 1) return
    const [field = ''] = Object.keys(shape)
    ctx.addIssue({ code: 'custom', path: [field], message: `needs exactly one of ${Object.keys(shape).join(', ')}` })
  })

const factorFields = {
  code: code.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: UsedPasskey.optional(),
}
const ONE_FACTOR = { examples: [{ code: '287082' }] }

export const FinishSecondStep = exactlyOne(factorFields).meta(ONE_FACTOR)

export type FinishSecondStep = z.output<typeof FinishSecondStep>

export const Prove = exactlyOne({ ...factorFields, password: accountPassword.optional() }).meta(ONE_FACTOR)

export type Prove = z.output<typeof Prove>

export const SignInByPasskey = z.strictObject({ passkey: UsedPasskey })

const transports = z.array(shortText)

const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports })

/** `PublicKeyCredentialCreationOptionsJSON` of Web Authentication. */
export const PasskeyCreation = z.object({
  rp: z.object({ id: shortText, name: shortText }),
  user: z.object({ id: shortText, name: shortText, displayName: shortText }),
  challenge: shortText,
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: count.describe('in ms'),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

export type PasskeyCreation = z.infer<typeof PasskeyCreation>

/** `PublicKeyCredentialRequestOptionsJSON` of Web Authentication. */
export const PasskeyRequest = z.object({
  challenge: shortText,
  rpId: shortText,
  timeout: count.describe('in ms'),
  userVerification: z.literal('required'),
  allowCredentials: z.array(descriptor).describe('empty: any passkey of this site'),
})

export type PasskeyRequest = z.infer<typeof PasskeyRequest>

const factorMethod = z.enum(['authenticator', 'passkey', 'recovery-code'])

export type FactorMethod = z.infer<typeof factorMethod>

/** `secondFactor`: the password is right, the account has a second factor, and the sign-in waits for it. */
export const SignInResponse = z.union([
  SignedIn,
  z.object({ secondFactor: z.object({ methods: z.array(factorMethod) }) }),
])

export type SignInResponse = z.infer<typeof SignInResponse>

export const SecondStepOptions = z.object({ methods: z.array(factorMethod), passkey: PasskeyRequest.nullable() })

export type SecondStepOptions = z.infer<typeof SecondStepOptions>

const proofMethod = z.enum(['password', 'authenticator', 'passkey', 'recovery-code', 'sign-in'])

export const ProofOptions = z.object({
  methods: z.array(proofMethod).describe('`sign-in`: only a new sign-in helps'),
  passkey: PasskeyRequest.nullable(),
})

export type ProofOptions = z.infer<typeof ProofOptions>

export const Factors = z.object({
  passkeys: z.array(
    z.object({
      id,
      name: shortText,
      createdAt: time,
      usedAt: time.nullable().describe('null: never used'),
      backedUp: z.boolean().describe('its provider keeps a copy'),
    }),
  ),
  authenticator: z.object({ createdAt: time, usedAt: time.nullable() }).nullable(),
  recoveryCodes: count.describe('number of unused codes'),
  policy: z.enum(['off', 'optional', 'required']).describe('whether the account may have, or needs, a second factor'),
  graceEndsAt: time
    .nullable()
    .describe('until when the account may be without a second factor; null: it has one, or does not need one'),
})

export type Factors = z.infer<typeof Factors>

const passkeyName = z
  .string()
  .trim()
  .min(1)
  .max(PASSKEY_NAME_MAX, { abort: true })
  .refine(isWellFormed, 'must be well-formed Unicode')
  .refine(isOneLine, 'must be one line without control characters')

const passkeyId = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'must be an id from the list')

export const AddPasskey = z.strictObject({ name: passkeyName, passkey: NewPasskey })

export type AddPasskey = z.output<typeof AddPasskey>

const recoveryCodes = z.array(shortText)
const firstCodes = recoveryCodes.nullable().describe('with the first factor, and only in this response')

export const AddedPasskey = z.object({ id, recoveryCodes: firstCodes })

export type AddedPasskey = z.infer<typeof AddedPasskey>

export const RenamePasskey = z.strictObject({ id: passkeyId, name: passkeyName })

export type RenamePasskey = z.output<typeof RenamePasskey>

export const RemovePasskey = z.strictObject({ id: passkeyId })

export const AuthenticatorSetup = z.object({
  secret: shortText.describe('base32, to type into the app'),
  uri: shortText.describe('`otpauth:` URI, for a QR code'),
  setup: shortText.describe('encrypted; to send with the first code'),
})

export type AuthenticatorSetup = z.infer<typeof AuthenticatorSetup>

export const AddAuthenticator = z.strictObject({ setup: bytes(1024), code })

export type AddAuthenticator = z.output<typeof AddAuthenticator>

export const AddedAuthenticator = z.object({ recoveryCodes: firstCodes })

export type AddedAuthenticator = z.infer<typeof AddedAuthenticator>

export const RecoveryCodes = z.object({ recoveryCodes: recoveryCodes.describe('only in this response') })

export type RecoveryCodes = z.infer<typeof RecoveryCodes>
