import { expect, test } from 'vitest'
import { credentialChanges, validateCredentials } from './validate-credentials.js'

const SAME = { email: 'alice@example.org', currentPassword: 'old-one', newPassword: '', confirmNewPassword: '' }
const NEW = { ...SAME, newPassword: 'amber-river', confirmNewPassword: 'amber-river' }
const RANGE = { min: 5, max: 50 }

test.each([SAME, NEW, { ...SAME, email: ' alice@example.com ' }])('validateCredentials accepts %j', (values) => {
  expect(validateCredentials(values, true, RANGE)).toEqual({})
})

test('validateCredentials requires the current password of accounts that have one', () => {
  const values = { ...SAME, currentPassword: '' }
  expect(validateCredentials(values, true, RANGE)).toEqual({ currentPassword: 'current-missing' })
  expect(validateCredentials(values, false, RANGE)).toEqual({})
})

test.each([
  [{ email: 'alice' }, { email: 'email-wrong' }],
  [{ newPassword: 'four', confirmNewPassword: 'four' }, { newPassword: 'new-wrong' }],
  [{ newPassword: '😀😀😀😀', confirmNewPassword: '😀😀😀😀' }, { newPassword: 'new-wrong' }],
  [{ newPassword: 'amber-river' }, { confirmNewPassword: 'confirm-wrong' }],
  [{ confirmNewPassword: 'amber-river' }, { newPassword: 'new-wrong', confirmNewPassword: 'confirm-wrong' }],
])('validateCredentials reports the problems of %j', (values, problems) => {
  expect(validateCredentials({ ...SAME, ...values }, true, RANGE)).toEqual(problems)
})

test('credentialChanges contains only what changes, with the current password of accounts that have one', () => {
  const account = { email: 'alice@example.org', hasPassword: true }
  expect(credentialChanges({ ...SAME, email: ' Alice@example.org ' }, account)).toBeNull()
  expect(credentialChanges({ ...SAME, email: 'a@example.org' }, account)).toEqual({
    email: 'a@example.org',
    currentPassword: 'old-one',
  })
  expect(credentialChanges({ ...SAME, email: 'a@example.org' }, { ...account, hasPassword: false })).toEqual({
    email: 'a@example.org',
  })
  expect(credentialChanges(NEW, account)).toEqual({
    currentPassword: 'old-one',
    newPassword: 'amber-river',
    confirmNewPassword: 'amber-river',
  })
})
