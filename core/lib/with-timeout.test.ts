import { expect, test } from 'vitest'
import { withTimeout } from './with-timeout.js'

test('withTimeout returns the value of a promise that settles in time', async () => {
  expect(await withTimeout(1000, Promise.resolve('é'))).toBe('é')
  await expect(withTimeout(1000, Promise.reject(new Error('down')))).rejects.toThrow('down')
})

test('withTimeout rejects when the promise takes too long', async () => {
  await expect(withTimeout(5, new Promise(() => {}))).rejects.toThrow('timed out after 5 ms')
})
