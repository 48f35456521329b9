import { afterAll, beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('document', { querySelector: () => ({ content: '{"base":"/büro"}' }) })
// Test files share modules, and these may have loaded another page.
vi.resetModules()
const { NetworkError } = await import('#shared/client/client')
const { createLazyPart, loadPart, OutdatedError } = await import('./lazy-part.js')

afterAll(() => vi.unstubAllGlobals())

const FAILED_IMPORT = new TypeError('Failed to fetch dynamically imported module: http://é.test/assets/sender-1.js')

/** Status of the server's response to the check whether it is reachable; null: no response. */
let status: number | null
beforeEach(() => {
  status = 200
  vi.stubGlobal('fetch', async () => {
    if (status === null) throw new TypeError('Failed to fetch')
    return { status }
  })
})

test('loadPart tries a failed import once more', async () => {
  const load = vi.fn().mockRejectedValueOnce(FAILED_IMPORT).mockResolvedValueOnce('module')
  expect(await loadPart(load)).toBe('module')
})

test.each([
  FAILED_IMPORT,
  new TypeError('error loading dynamically imported module: http://é.test/a.js'),
  new TypeError('Importing a module script failed.'),
])('loadPart rejects with OutdatedError when the server answers: %s', async (error) => {
  await expect(loadPart(() => Promise.reject(error))).rejects.toBeInstanceOf(OutdatedError)
})

test.each([null, 503])('loadPart rejects with NetworkError when the status of the server is %s', async (answer) => {
  status = answer
  await expect(loadPart(() => Promise.reject(FAILED_IMPORT))).rejects.toBeInstanceOf(NetworkError)
})

test('loadPart does not change other errors', async () => {
  const error = new RangeError('é')
  await expect(loadPart(() => Promise.reject(error))).rejects.toBe(error)
})

test('a part is loaded once, and again after an error', async () => {
  const module = { name: 'é' }
  const load = vi.fn().mockRejectedValueOnce(new Error('no texts')).mockResolvedValue(module)
  const part = createLazyPart(load)
  await expect(part.load()).rejects.toBeInstanceOf(NetworkError)
  expect(part.current()).toBe(null)
  expect(await Promise.all([part.load(), part.load()])).toEqual([module, module])
  expect(part.current()).toBe(module)
  await part.load()
  expect(load).toHaveBeenCalledTimes(2)
})
