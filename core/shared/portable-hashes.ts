/** SHA-256, HMAC and HKDF in JavaScript. The build replaces this file on Node.js by core/lib/native-hashes.ts. */
export { hkdf } from '@noble/hashes/hkdf.js'
export { hmac } from '@noble/hashes/hmac.js'
export { sha256 } from '@noble/hashes/sha2.js'
