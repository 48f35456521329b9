/** Texts of errors: by code, by message of the server, by status. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import english from '../locales/en.json' with { type: 'json' }

vi.stubGlobal('document', { documentElement: { lang: 'en', dataset: {} }, querySelector: () => null })
vi.stubGlobal('navigator', { onLine: true })
// Test files share modules, and these may have loaded another language.
vi.resetModules()
const { default: i18next } = await import('i18next')
const { ApiError, createClient, NetworkError } = await import('#shared/client/client')
const { errorMessage } = await import('./error-message.js')
afterAll(() => vi.unstubAllGlobals())

beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { common: english.common } }, defaultNS: 'common' })
})

const response = (statusCode: number, more: object = {}) =>
  new ApiError({ statusCode, error: 'Reason', code: `http.${statusCode}`, message: 'Reason', ...more })

test.each([401, 403, 400, 500])('the message of a response without a code is shown, status %i', (status) => {
  expect(errorMessage(response(status, { message: 'Frozen until Monday, é.' }))).toBe('Frozen until Monday, é.')
})

test.each([
  [400, "The server didn't accept this request."],
  [401, 'Sign in to continue.'],
  [403, "The server doesn't allow this request."],
  [404, "The server doesn't support this request."],
  [409, "The server didn't accept this request."],
  [413, 'This is too large for the server.'],
  [429, 'Too many requests. Try again later.'],
  [500, 'Something went wrong on the server.'],
  [502, 'The server is busy. Try again later.'],
  [503, 'The server is busy. Try again later.'],
  [599, 'Something went wrong on the server.'],
])('status %i without a message has a text of its own', (status, text) => {
  expect(errorMessage(response(status))).toBe(text)
})

test('a code is translated, and an unknown one has the message of the server', () => {
  expect(errorMessage(response(401, { code: 'auth.required', message: 'é' }))).toBe('Sign in to continue.')
  expect(errorMessage(response(418, { code: 'of.tomorrow', message: 'é' }))).toBe('é')
})

test('the time until a retry counts down', () => {
  const error = response(429, { retryAfter: 252 })
  expect(errorMessage(error)).toBe('Too many requests. Try again in 5 minutes.')
  expect(errorMessage(error, 2)).toBe('Too many requests. Try again in 2 seconds.')
  expect(errorMessage(error, 0)).toBe('Too many requests. Try again later.')
})

test('a response of other software is not reported as unreachable', async () => {
  const html = async () => new Response('<p>Sign in to the Wi-Fi, é</p>')
  const error = await createClient({ server: 'http://x', fetch: html, retryMs: [] })
    .settings()
    .catch((cause) => cause)
  expect(error).toBeInstanceOf(NetworkError)
  expect(errorMessage(error)).toBe('Something went wrong on the server.')
})

test('an error without a response says whether the server can be reached', () => {
  expect(errorMessage(new NetworkError('x'))).toBe("Couldn't reach the server.")
  expect(errorMessage(new TypeError('x'))).toBe('Something went wrong on this page.')
  vi.stubGlobal('navigator', { onLine: false })
  expect(errorMessage(new TypeError('x'))).toBe("Couldn't reach the server.")
})
