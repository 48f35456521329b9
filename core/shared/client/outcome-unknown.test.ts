import { expect, test } from 'vitest'
import { InvalidResponseError } from '../check-json.js'
import { ApiError, BadResponseError, isOutcomeUnknown, NetworkError } from './client.js'

const apiError = (statusCode: number, code: string) => new ApiError({ statusCode, code, error: 'Error', message: 'é' })

test.each([
  ['no response', new NetworkError('x')],
  ['a response that is not JSON', new BadResponseError('x')],
  ['JSON that is not a response of this server', new InvalidResponseError('x')],
  ['502 of a proxy', apiError(502, 'http.502')],
  ['504 of a proxy', apiError(504, 'http.504')],
  ['403 of a proxy that inspects responses', apiError(403, 'http.403')],
  ['a storage that does not respond', apiError(503, 'storage.unavailable')],
  ['an unexpected error', apiError(500, 'server.error')],
])('isOutcomeUnknown is true for %s', (_, error) => {
  expect(isOutcomeUnknown(error)).toBe(true)
})

test.each([
  ['a refusal of the server', apiError(404, 'secret.not_found')],
  ['a rate limit of a proxy', apiError(429, 'http.429')],
  ['a body that is too large for a proxy', apiError(413, 'http.413')],
  ['a full disk, after a rollback', apiError(507, 'storage.full')],
  ['an error of this program', new TypeError('x')],
])('isOutcomeUnknown is false for %s', (_, error) => {
  expect(isOutcomeUnknown(error)).toBe(false)
})
