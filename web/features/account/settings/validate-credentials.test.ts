import { expect, test } from 'vitest'
import { changesIn, lengthsFor, wrongIn } from './validate-credentials.js'

const SAME = { email: 'alice@example.org', currentPassword: 'old-one', newPassword: '', confirmNewPassword: '' }
const NEW = { ...SAME, newPassword: 'amber-river', confirmNewPassword: 'amber-river' }
const LENGTHS = { min: 5, max: 50 }

test.each([SAME, NEW, { ...SAME, email: ' alice@example.com ' }])('%j is fine', (entries) => {
  expect(wrongIn(entries, true, LENGTHS)).toEqual({})
})

test('who has no password here is not asked for it', () => {
  expect(wrongIn({ ...SAME, currentPassword: '' }, true, LENGTHS)).toEqual({ currentPassword: 'current-missing' })
  expect(wrongIn({ ...SAME, currentPassword: '' }, false, LENGTHS)).toEqual({})
})

test.each([
  [{ email: 'alice' }, { email: 'email-wrong' }],
  [{ newPassword: 'four', confirmNewPassword: 'four' }, { newPassword: 'new-wrong' }],
  [{ newPassword: '😀😀😀😀', confirmNewPassword: '😀😀😀😀' }, { newPassword: 'new-wrong' }],
  [{ newPassword: 'amber-river' }, { confirmNewPassword: 'confirm-wrong' }],
  [{ confirmNewPassword: 'amber-river' }, { newPassword: 'new-wrong', confirmNewPassword: 'confirm-wrong' }],
])('%j is wrong', (entries, wrong) => {
  expect(wrongIn({ ...SAME, ...entries }, true, LENGTHS)).toEqual(wrong)
})

test('administrators need longer ones', () => {
  expect(lengthsFor('user', LENGTHS)).toEqual(LENGTHS)
  expect(lengthsFor('admin', LENGTHS)).toEqual({ min: 12, max: 50 })
  expect(lengthsFor('admin', { min: 15, max: 50 })).toEqual({ min: 15, max: 50 })
})

test('only what changes is sent, with the password that there is', () => {
  const account = { email: 'alice@example.org', hasPassword: true }
  expect(changesIn({ ...SAME, email: ' Alice@example.org ' }, account)).toBeNull()
  expect(changesIn({ ...SAME, email: 'a@example.org' }, account)).toEqual({
    email: 'a@example.org',
    currentPassword: 'old-one',
  })
  expect(changesIn({ ...SAME, email: 'a@example.org' }, { ...account, hasPassword: false })).toEqual({
    email: 'a@example.org',
  })
  expect(changesIn(NEW, account)).toEqual({
    currentPassword: 'old-one',
    newPassword: 'amber-river',
    confirmNewPassword: 'amber-river',
  })
})
