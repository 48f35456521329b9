import { expect, test } from 'vitest'
import { withTimeout } from './with-timeout.js'

test('withTimeout returns the value of a promise that settles in time', async () => {
  expect(await withTimeout(1000, Promise.resolve('é'))).toBe('é')
  await expect(withTimeout(1000, Promise.reject(new Error('down')))).rejects.toThrow('down')
})

test('withTimeout rejects when the promise takes too long', async () => {
  const never = new Promise(() => {})
  await expect(withTimeout(5, never)).rejects.toThrow('timed out after 5 ms')
  await expect(withTimeout(5, never, () => new Error('trop tard, café'))).rejects.toThrow('trop tard, café')
})
