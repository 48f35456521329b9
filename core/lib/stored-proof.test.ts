import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { storedProof } from './stored-proof.js'

interface Vector {
  access: string
  access_stored_sha256_hex: string
  password_proof?: string
  password_stored_sha256_hex?: string
}
const vectors: { secrets: Vector[] } = JSON.parse(
  readFileSync(new URL('../shared/kdf-vectors.json', import.meta.url), 'utf8'),
)

test.each(vectors.secrets)('CRY-02: stored proofs of $access', (vector) => {
  expect(storedProof(vector.access)).toBe(vector.access_stored_sha256_hex)
  if (vector.password_proof) expect(storedProof(vector.password_proof)).toBe(vector.password_stored_sha256_hex)
})
