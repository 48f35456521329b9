import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encrypt } from './age.js'
import { partPassphrase } from './keys.js'
import {
  decryptPart,
  encryptedFileLength,
  encryptedPartLength,
  encryptPart,
  newFileKey,
  PART_SIZE,
  partCount,
  partLength,
} from './parts.js'

const key = newFileKey()
const bytes = new Uint8Array(randomBytes(70_000))
const hostile = { problem: 'hostile' }
const wrongKey = { problem: 'wrong-key' }

describe('lengths', () => {
  test.each([
    [0, 1, 0],
    [1, 1, 1],
    [PART_SIZE, 1, PART_SIZE],
    [PART_SIZE + 1, 2, 1],
    [3 * PART_SIZE, 3, PART_SIZE],
  ])('%i bytes are %i parts, the last of %i', (size, parts, last) => {
    expect(partCount(size)).toBe(parts)
    expect(partLength(size, parts - 1)).toBe(last)
  })

  test.each([0, 1, 65_535, 65_536, 65_537, 70_000, 131_072])(
    'a part of %i bytes has the computed encrypted length',
    async (length) => {
      const sealed = await encryptPart(key, 0, new Uint8Array(length))
      expect(sealed).toHaveLength(encryptedPartLength(length))
      expect(encryptedFileLength(length)).toBe(sealed.length)
      expect(await decryptPart(key, 0, sealed, length)).toHaveLength(length)
    },
  )

  test('encryptedFileLength is the sum of its parts', () => {
    expect(encryptedFileLength(2 * PART_SIZE + 5)).toBe(2 * encryptedPartLength(PART_SIZE) + encryptedPartLength(5))
  })
})

describe('a part', () => {
  test('CRY-03: a part is decrypted unchanged', async () => {
    expect(Buffer.compare(await decryptPart(key, 7, await encryptPart(key, 7, bytes), bytes.length), bytes)).toBe(0)
  })

  test('CRY-04: a part is rejected at another index', async () => {
    const sealed = await encryptPart(key, 1, bytes)
    await expect(decryptPart(key, 0, sealed, bytes.length)).rejects.toMatchObject(wrongKey)
  })

  test('CRY-04: a part of another file is rejected', async () => {
    const foreign = await encryptPart(newFileKey(), 0, bytes)
    await expect(decryptPart(key, 0, foreign, bytes.length)).rejects.toMatchObject(wrongKey)
  })

  test('CRY-04: a part with a changed byte is rejected', async () => {
    const sealed = await encryptPart(key, 0, bytes)
    for (const at of [170, 66_000, sealed.length - 1]) {
      const changed = sealed.slice()
      changed[at] = (changed[at] as number) ^ 1
      await expect(decryptPart(key, 0, changed, bytes.length)).rejects.toMatchObject(wrongKey)
    }
  })

  test('a part of another length is rejected before decryption', async () => {
    const sealed = await encryptPart(key, 0, bytes)
    for (const length of [0, bytes.length - 1, bytes.length + 1]) {
      await expect(decryptPart(key, 0, sealed, length)).rejects.toMatchObject(hostile)
    }
    await expect(decryptPart(key, 0, sealed.subarray(0, -1), bytes.length)).rejects.toMatchObject(hostile)
    await expect(decryptPart(key, 0, new Uint8Array(), 0)).rejects.toMatchObject(hostile)
  })

  test('a part with a higher work factor is rejected', async () => {
    const sealed = Buffer.from(await encrypt(bytes, partPassphrase(key, 0)))
    const costly = Buffer.concat([sealed])
    costly.write('9', sealed.indexOf(' 1\n') + 1)
    await expect(decryptPart(key, 0, costly, bytes.length)).rejects.toMatchObject(hostile)
  })
})
