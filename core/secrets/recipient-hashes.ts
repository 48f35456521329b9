/** Keyed hashes of named recipients for the storage. They reveal an address only with the key. */
import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import { RECIPIENT_CODE_LENGTH } from '../shared/limits.js'

/** `key`: of the instance. Bound to the secret, so that equal addresses of two secrets have different hashes. */
export const hashRecipientAddress = (key: Buffer, secretId: string, email: string): string =>
  hash(key, ['address', secretId, email])

export const hashRecipientCode = (key: Buffer, secretId: string, code: string): string =>
  hash(key, ['code', secretId, code])

/** A random code of digits, which phones offer to fill in. */
export const createRecipientCode = (): string =>
  randomInt(10 ** RECIPIENT_CODE_LENGTH)
    .toString()
    .padStart(RECIPIENT_CODE_LENGTH, '0')

function hash(key: Buffer, parts: string[]): string {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'mayfly/v1/named-recipients', 32))
  return createHmac('sha256', derived).update(JSON.stringify(parts)).digest('hex')
}
