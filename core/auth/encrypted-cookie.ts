/** Encryption of the redirect-state cookie: the browser can neither read nor change it. */
import { createTextCipher, type TextCipher } from '../lib/text-cipher.js'

export const createCookieCipher = (key: Buffer): TextCipher => createTextCipher(key, 'mayfly/v1/sealed-cookie')
