/** Stands in for the public-key half of age-encryption, which nothing here calls: see the alias in vite.config.ts. */
export const MLKEM768P256 = undefined
export const MLKEM768X25519 = undefined
export const p256 = undefined
export const x25519 = undefined
