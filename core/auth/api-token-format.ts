/** Format of API tokens: `mf_{8 id}_{43 secret}{6 checksum}`, which secret scanners can recognize. */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 8
/** In base 62: 256 bits. */
const SECRET_LENGTH = 43
const SUM_LENGTH = 6
const FORM = /^mf_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

export interface TokenText {
  /** Not secret. */
  id: string
  secret: string
}

export const createTokenText = (): TokenText => ({ id: random(ID_LENGTH), secret: random(SECRET_LENGTH) })

export const formatToken = ({ id, secret }: TokenText): string => `mf_${id}_${secret}${checksum(id, secret)}`

/** Null for a malformed token. The checksum catches typing errors without a database query. */
export function parseToken(text: string): TokenText | null {
  const [, id = '', secret = '', sum = ''] = FORM.exec(text) ?? []
  return id !== '' && sum.startsWith(checksum(id, secret)) ? { id, secret } : null
}

const random = (length: number): string =>
  Array.from({ length }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('')

/** CRC-32 in base 62. It detects errors and does not prove authenticity. */
function checksum(id: string, secret: string): string {
  let rest = crc32(`mf_${id}_${secret}`)
  let digits = ''
  for (let n = 0; n < SUM_LENGTH; n++) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
