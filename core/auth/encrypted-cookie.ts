import type { App } from '../app.js'
import { createTextCipher } from '../lib/text-cipher.js'

/** A cookie that the browser can neither read nor change. It is refused for any other purpose. */
export function encryptedCookie<Content>({ key }: Pick<App, 'key'>, purpose: string) {
  const { encrypt, decrypt } = createTextCipher(key, `mayfly/v1/${purpose}`)
  return {
    write: (content: Content): string => encrypt(JSON.stringify(content)),
    /** Null when the cookie is missing or forged. */
    read(cookie: string | null): Content | null {
      const text = cookie === null ? null : decrypt(cookie)
      return text === null ? null : JSON.parse(text)
    },
  }
}
