/**
 * The hybrid key encapsulation of age, ML-KEM-768 with X25519, in JavaScript. Browsers with native versions of both do
 * not load it.
 */
import { MLKEM768X25519 } from '@noble/post-quantum/hybrid.js'

/** A key pair is a seed of 32 bytes. */
export interface HybridKem {
  /** Returns 1,216 bytes. */
  getPublicKey(seed: Uint8Array): Uint8Array | Promise<Uint8Array>
  encapsulate(publicKey: Uint8Array): Encapsulated | Promise<Encapsulated>
  /** Returns the shared secret; another one for a wrong ciphertext. */
  decapsulate(cipherText: Uint8Array, seed: Uint8Array): Uint8Array | Promise<Uint8Array>
}

interface Encapsulated {
  /** 1,120 bytes. */
  cipherText: Uint8Array
  /** 32 bytes. */
  sharedSecret: Uint8Array
}

export const loadKem = (): HybridKem | Promise<HybridKem> => MLKEM768X25519
