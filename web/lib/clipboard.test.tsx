import { afterEach, expect, test, vi } from 'vitest'
import { copyAsync } from './clipboard.js'

afterEach(() => vi.unstubAllGlobals())

test('a text that fails after the browser has refused the clipboard is not an unhandled rejection', async () => {
  vi.stubGlobal('ClipboardItem', class {})
  vi.stubGlobal('navigator', { clipboard: { write: () => Promise.reject(new Error('no permission')) } })
  const text = new Promise<string>((_, reject) => setTimeout(reject, 10, new Error('the server refused the secret')))
  expect(await copyAsync(text)).toBe(false)
  // An unhandled rejection fails the run.
  await new Promise((resolve) => setTimeout(resolve, 10))
})
