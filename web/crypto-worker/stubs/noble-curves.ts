/** Replaces the public-key half of age-encryption, which only secret requests use. See stub-public-keys.ts. */
export const MLKEM768P256 = undefined
export const MLKEM768X25519 = undefined
export const p256 = undefined
export const x25519 = undefined
