import { expect, test } from 'vitest'
import { assertPasswordAllowed } from './password-policy.js'

const SETTINGS = { passwordMin: 5, passwordMax: 50 }
const outcome = (password: string, role: 'user' | 'admin' = 'user', username = 'alice') =>
  assertPasswordAllowed({ password, username, role, field: 'newPassword' }, SETTINGS).then(
    () => 'fine',
    ({ code, details }) => `${code} ${details.field}`,
  )

test.each([
  ['hübsch', 'user', 'fine'],
  // Five characters, with different numbers of code units and combining marks.
  ['🗝🗝🗝🗝🗝', 'user', 'fine'],
  ['🗝🗝🗝🗝', 'user', 'request.invalid newPassword'],
  ['e\u0301e\u0301e\u0301e\u0301', 'user', 'request.invalid newPassword'],
  ['🗝'.repeat(50), 'user', 'fine'],
  ['x☃'.repeat(26), 'user', 'request.invalid newPassword'],
  ['éleven char', 'admin', 'request.invalid newPassword'],
  ['twelve chårs', 'admin', 'fine'],
  ['QWERTY', 'user', 'auth.password_common newPassword'],
  ['letmein', 'user', 'auth.password_common newPassword'],
  ['Alice1', 'user', 'auth.password_common newPassword'],
  ['mayfly-alice', 'admin', 'auth.password_common newPassword'],
  ['alice in chains', 'user', 'fine'],
] as const)('V6.2.4: %s of a %s: %s', async (password, role, expected) => {
  expect(await outcome(password, role)).toBe(expected)
})

test('V6.2.4: the list has three thousand common passwords', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const known = dictionary['passwords-common'].map(String).filter((text) => text.length >= 5)
  const outcomes = await Promise.all(known.slice(0, 3001).map((text) => outcome(text, 'user', 'nobody')))
  expect(outcomes.filter((each) => each === 'auth.password_common newPassword')).toHaveLength(3000)
  expect(outcomes.at(-1)).toBe('fine')
})
