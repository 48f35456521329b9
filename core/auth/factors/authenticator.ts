/** Codes of authenticator apps: TOTP of RFC 6238 with SHA-1, 6 digits and 30 seconds, which every app knows. */
import type { EpochMs } from '../../shared/epoch-ms.js'

const STEP_MS = 30_000
/** Accepted steps before and after the current one, for clocks that differ. */
const DRIFT_STEPS = 1
/** In bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20

/** A new secret in base32. */
export async function createSecret(): Promise<string> {
  const { Secret } = await loadLibrary()
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Content of the QR code for the app. `issuer`: as the app shows it. */
export async function toAuthenticatorUri(secret: string, { issuer, username }: { issuer: string; username: string }) {
  const { Secret, TOTP } = await loadLibrary()
  return new TOTP({ issuer, label: username, secret: Secret.fromBase32(secret), algorithm: 'SHA1' }).toString()
}

/**
 * Number of the time step that a code, also one with a space, belongs to; null for a wrong code, also of a step that is
 * too far away.
 */
export async function findStep(secret: string, code: string, now: EpochMs): Promise<number | null> {
  const { Secret, TOTP } = await loadLibrary()
  const delta = TOTP.validate({
    secret: Secret.fromBase32(secret),
    token: code.replace(' ', ''),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_MS / 1000,
    timestamp: now,
    window: DRIFT_STEPS,
  })
  return delta === null ? null : Math.floor(now / STEP_MS) + delta
}

/** Not part of the start. */
const loadLibrary = () => import('otpauth')
