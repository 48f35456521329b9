import { expect, test } from 'vitest'
import { hashRecipientAddress, hashRecipientCode } from './recipient-hashes.js'

const KEY = Buffer.alloc(32, 1)

test('equal addresses and codes of two secrets, and of two instances, have different hashes', () => {
  const hashes = [hashRecipientAddress, hashRecipientCode].flatMap((hash) => [
    hash(KEY, 'one', '123456'),
    hash(KEY, 'two', '123456'),
    hash(Buffer.alloc(32, 2), 'one', '123456'),
  ])
  expect(new Set(hashes).size).toBe(6)
  expect(hashRecipientAddress(KEY, 'one', '123456')).toBe(hashes[0])
})
