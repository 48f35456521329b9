import { randomBytes } from 'node:crypto'
import { drawSafeEnds } from '../shared/safe-ends.js'

/** Random bytes from the CSPRNG as base64url text that begins and ends with a letter or a digit. */
export const randomToken = (bytes: 16 | 32): string =>
  drawSafeEnds(
    () => randomBytes(bytes).toString('base64url'),
    (text) => text,
  )

/** Id of a secret, request, file, user or session: 128 random bits, 22 characters. */
export const newId = (): string => randomToken(16)
