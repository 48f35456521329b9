import { expect, test } from 'vitest'
import { returnPath } from './return-path.js'

test.each([
  ['', '/'],
  ['?to=/public', '/public'],
  ['?to=%2Fpublic%3Fskip%3D50', '/public?skip=50'],
  ['?to=//evil.example', '/'],
  ['?to=/\\evil.example', '/'],
  ['?to=https://evil.example', '/'],
  ['?to=javascript:alert(1)', '/'],
])('after signing in at /signin%s', (search, path) => {
  expect(returnPath(search)).toBe(path)
})
