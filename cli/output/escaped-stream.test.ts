import { expect, test } from 'vitest'
import { testIo } from '#test/run-cli'
import { createEscapedStream } from './escaped-stream.js'

/** Sends the bytes in pieces of this length. */
async function show(bytes: Uint8Array, length: number) {
  const { io, stdout, stderr } = testIo({ isTTY: { stdout: true } })
  const stream = createEscapedStream(io)
  for (let at = 0; at < bytes.length; at += length) await stream.write(bytes.subarray(at, at + length))
  await stream.end()
  return { stdout: `${stdout()}`, stderr: `${stderr()}` }
}

test.each([1, 2, 3, 5, 100])('text in pieces of %i bytes is unchanged, and its last line is ended', async (length) => {
  const text = 'täxt ☃ 😀\r\n\tC:\\x\r\nend'
  expect(await show(Buffer.from(text), length)).toEqual({ stdout: `${text}\n`, stderr: '' })
  expect((await show(Buffer.from('one\n'), length)).stdout).toBe('one\n')
})

test.each([1, 2, 100])('control characters and binary data in pieces of %i bytes are escaped', async (length) => {
  const { stdout, stderr } = await show(Buffer.from([0x61, 0x1b, 0x5d, 0x0d, 0x62, 0xe2, 0xff, 0xf0]), length)
  expect(stdout).toBe('a\\x1b]\\x0db\\xe2\\xff\\xf0\n')
  expect(stderr).toContain('warning: control characters and binary data are shown as \\xNN')
})

test('an empty stream shows nothing', async () => {
  expect(await show(new Uint8Array(), 1)).toEqual({ stdout: '', stderr: '' })
})
