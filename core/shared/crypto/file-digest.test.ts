import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { digestOfParts, hashPart } from './file-digest.js'
import { PART_SIZE, partCount, partLength } from './parts.js'

interface Vector {
  size: number
  content: string
  digest: string
}
const { file_digests: vectors }: { file_digests: Vector[] } = JSON.parse(
  readFileSync(new URL('../kdf-vectors.json', import.meta.url), 'utf8'),
)
afterEach(() => void vi.unstubAllGlobals())

async function digest(bytes: Uint8Array): Promise<string> {
  const parts = Array.from({ length: partCount(bytes.length) }, (_, index) =>
    bytes.subarray(index * PART_SIZE, index * PART_SIZE + partLength(bytes.length, index)),
  )
  return digestOfParts(await Promise.all(parts.map(hashPart)))
}

const contentOf = ({ size, content }: Vector): Uint8Array =>
  content === 'hello' ? Buffer.from('hello') : new Uint8Array(size)

describe.each([
  ['with WebCrypto', globalThis.crypto],
  ['without WebCrypto, as in a page over plain http', {}],
])('%s', (_, crypto) => {
  test.each(vectors)('CRY-02: the digest of $size bytes, $content', async (vector) => {
    vi.stubGlobal('crypto', crypto)
    expect(await digest(contentOf(vector))).toBe(vector.digest)
  })
})

test('the digest depends on the order of the parts', async () => {
  const [first, second] = [await hashPart(Buffer.from('ä')), await hashPart(Buffer.from('b'))]
  expect(digestOfParts([first, second])).not.toBe(digestOfParts([second, first]))
  expect(vectors).toHaveLength(3)
})
