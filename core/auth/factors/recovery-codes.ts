/** Recovery codes: each replaces a second factor once. A code has 80 random bits, so a fast hash is enough. */
import { createHash, randomBytes } from 'node:crypto'

const CODES = 10
const LENGTH = 16
/** Crockford's base32, without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** New codes such as `7k3f-9x2m-q0vt-h5wd`, and the hashes to store. */
export function createRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, createCode)
  return { codes, hashes: codes.map(hashRecoveryCode) }
}

/** Ignores case, spaces and hyphens, and reads letters that look like digits as these. */
export function hashRecoveryCode(code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return createHash('sha256').update(`mayfly/v1/recovery-code${plain}`).digest('hex')
}

/** Each byte chooses one of 32 characters, all with the same probability. */
const createCode = (): string =>
  [...randomBytes(LENGTH)]
    .map((byte, index) => `${index > 0 && index % 4 === 0 ? '-' : ''}${ALPHABET[byte % 32]}`)
    .join('')
