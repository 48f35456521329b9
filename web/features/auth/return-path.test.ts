import { expect, test } from 'vitest'
import { OwnPath } from '#shared/api'
import { externalReturnPath, returnPath } from './return-path.js'

test.each([
  ['', '/account'],
  ['?to=/public', '/public'],
  ['?to=%2Fpublic%3Fskip%3D50', '/public?skip=50'],
  ['?to=/public?of=☃', '/public?of=%E2%98%83'],
  ['?to=//evil.example', '/account'],
  ['?to=/\\evil.example', '/account'],
  ['?to=/%09/evil.example', '/account'],
  ['?to=/%0A\\evil.example', '/account'],
  ['?to=/..//evil.example', '/account'],
  ['?to=/.//evil.example', '/account'],
  ['?to=//', '/account'],
  ['?to=https://evil.example', '/account'],
  ['?to=https:evil.example', '/account'],
  ['?to=javascript:alert(1)', '/account'],
])('SEC-19: /signin%s returns to %s', (search, path) => {
  expect(returnPath(search)).toBe(path)
  expect(externalReturnPath(search)).toBe(path)
})

test.each([
  ['?to=/secret/abc%23key', '/secret/abc'],
  ['?to=/public?a=%5C', '/account'],
  [`?to=/public?a=${'a'.repeat(600)}`, '/account'],
  ['?to=/a%2520b?c=%0d%0ad', '/a%20b?c=d'],
])('externalReturnPath of /signin%s is a path that the server accepts', (search, path) => {
  expect(externalReturnPath(search)).toBe(path)
  expect(OwnPath.safeParse(path).success).toBe(true)
})
