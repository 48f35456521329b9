/** Passkeys: options for browsers, and verification of their responses. */
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import type { App } from '../../app.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { Passkey } from '../../contracts/factors.js'
import type { User } from '../../contracts/users.js'
import { describeCause } from '../../lib/error-codes.js'
import { AppError } from '../../lib/errors.js'
import type { NewPasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from '../../shared/api/index.js'
import { CHALLENGE_MS, type ChallengeUse, createChallenge, takeChallenge } from '../passkey-challenge.js'

/** Ed25519, ECDSA with P-256 and RSA, in the order of preference. */
const ALGORITHMS = [-8, -7, -257]
/** Without the certificates of a manufacturer, which the server does not check. */
const ATTESTATIONS = ['none', 'packed']

/** Options with the cookie of their challenge. */
export interface WithChallenge<Options> {
  options: Options
  cookie: string
}

/** `passkeys`: the user's passkeys. */
export function createRegistration(
  app: App,
  { id, username }: User,
  passkeys: Passkey[],
  use: ChallengeUse,
): WithChallenge<PasskeyCreation> {
  const { challenge, cookie } = createChallenge(app, use)
  const { id: rpId } = relyingParty(app)
  const options: PasskeyCreation = {
    rp: { id: rpId, name: rpId },
    user: { id: toUserHandle(id), name: username, displayName: username },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: passkeys.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
  return { options, cookie }
}

/** `passkeys`: allowed passkeys; empty: any. */
export function createAssertion(app: App, passkeys: Passkey[], use: ChallengeUse): WithChallenge<PasskeyRequest> {
  const { challenge, cookie } = createChallenge(app, use)
  const options: PasskeyRequest = {
    challenge,
    rpId: relyingParty(app).id,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(toDescriptor),
  }
  return { options, cookie }
}

/** Verifies the browser's response to `createRegistration`. Throws AppError `auth.passkey_refused`. */
export async function verifyRegistration(
  app: App,
  passkey: NewPasskey,
  { cookie, use }: { cookie: string | null; use: ChallengeUse },
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>> {
  const expectedChallenge = await requireChallenge(app, cookie, use)
  const { transports = [], ...response } = passkey.response
  const { verifyRegistrationResponse } = await loadLibrary()
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const { registrationInfo } = await orRefuse(app, async (): Promise<VerifiedRegistrationResponse> => {
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    // Verifying a chain of certificates could download lists of revoked ones.
    if (!ATTESTATIONS.includes(attestation.get('fmt')) || attestation.get('attStmt').get('x5c')) throw refused()
    return verifyRegistrationResponse({
      response: { ...passkey, response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: relyingParty(app).origins,
      expectedRPID: relyingParty(app).id,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  })
  if (!registrationInfo) throw refused()
  const { credential, credentialBackedUp: backedUp } = registrationInfo
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  return { credentialId: credential.id, publicKey, counter: credential.counter, transports, backedUp }
}

/**
 * Verifies the browser's response to `createAssertion`, records the use, and returns the user. `use.userId`: of the
 * only user that is accepted; null: any. Throws AppError `auth.passkey_refused`.
 */
export async function verifyAssertion(
  app: App,
  used: UsedPasskey,
  { cookie, use, caller }: { cookie: string | null; use: ChallengeUse; caller: AuthContext },
): Promise<User> {
  const expectedChallenge = await requireChallenge(app, cookie, use)
  const found = await app.storage.factors.findPasskey(used.id)
  if (!found) throw refused()
  const { passkey, user } = found
  const { userHandle, ...response } = used.response
  const isOther = use.userId !== null && use.userId !== user.id
  // A discoverable passkey always names its user.
  const isUnnamed = use.userId === null && userHandle == null
  if (isOther || isUnnamed || (userHandle != null && userHandle !== toUserHandle(user.id))) throw refused()
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { authenticationInfo } = await orRefuse(app, async () => {
    const verified = await verifyAuthenticationResponse({
      response: { ...used, response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: relyingParty(app).origins,
      expectedRPID: relyingParty(app).id,
      // Its counter is compared below, so that a copied passkey is reported as such.
      credential: { id: passkey.credentialId, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 },
    })
    if (!verified.verified) throw refused()
    return verified
  })
  const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo
  if (!(await recordUse(app, passkey, { counter, backedUp }))) {
    await app.audit.note({ action: 'factor.copied', caller, subject: user.username, detail: { passkey: passkey.id } })
    throw refused()
  }
  return user
}

/** False: the authenticator counts its uses and repeated a number, so there is a copy of it. */
async function recordUse(
  { storage, now }: App,
  { id, counter: from }: Passkey,
  { counter, backedUp }: Pick<Passkey, 'counter' | 'backedUp'>,
): Promise<boolean> {
  if ((counter > 0 || from > 0) && counter <= from) return false
  return storage.factors.recordPasskeyUse(id, { from, counter, backedUp, usedAt: now() })
}

/** Not part of the start. */
const loadLibrary = () => import('@simplewebauthn/server')

/** The site as browsers know it. `origins`: origins whose pages may use its passkeys. */
export function relyingParty({ config }: Pick<App, 'config'>): { id: string; origins: string[] } {
  const { hostname, origin } = new URL(config.publicUrl)
  const others = config.allowedHosts.filter((host) => host === hostname || host.endsWith(`.${hostname}`))
  return { id: hostname, origins: [origin, ...others.map((host) => `https://${host}`)] }
}

async function requireChallenge(app: App, cookie: string | null, use: ChallengeUse): Promise<string> {
  const challenge = await takeChallenge(app, cookie, use)
  if (challenge === null) throw refused()
  return challenge
}

/** Errors of the library concern the data that the browser sent. */
async function orRefuse<T>({ log }: App, verify: () => Promise<T>): Promise<T> {
  return verify().catch((error) => {
    log.debug('passkey refused', { ...describeCause(error) })
    throw refused()
  })
}

const refused = (): AppError => new AppError('auth.passkey_refused')

const toUserHandle = (userId: string): string => Buffer.from(userId).toString('base64url')

const toDescriptor = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports,
})
