import { expect, test } from 'vitest'
import { isEndpoint, isUnencryptedEndpoint } from './endpoint.js'

test.each([
  ['', false],
  ['https://s3.example.org', false],
  ['http://localhost:9000', false],
  ['http://[::1]:9000/path', false],
  ['http://s3.example.org', true],
  ['HTTP://minio:9000', true],
  ['http://10.0.0.7:9000/', true],
])('V12.2.1: endpoint %j is valid, and unencrypted: %s', (endpoint, expected) => {
  expect(isEndpoint(endpoint)).toBe(true)
  expect(isUnencryptedEndpoint(endpoint)).toBe(expected)
})

test.each([
  's3.example.org',
  'ftp://s3.example.org',
  'https://user:hunter2@s3.example.org',
  'https://s3.example.org/?a=1',
])('endpoint %j is invalid', (endpoint) => {
  expect(isEndpoint(endpoint)).toBe(false)
})
