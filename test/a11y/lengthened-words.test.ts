import { expect, test } from 'vitest'
import { lengthen } from './lengthened-words.js'

test('every word is at least 40 % longer', () => {
  expect(lengthen('مشاركة سر')).toMatch(/^مشاركة\u0651\u064e\u0650\u0640{6} سر\u0651\u064e\u0650\u0640{2}$/)
})

test('placeholders and punctuation stay as they are', () => {
  const text = lengthen('{{count}} ملف، <b>سر</b>: %name%')
  expect(text.match(/\{\{count\}\}|<\/?b>|%name%/g)).toEqual(['{{count}}', '<b>', '</b>', '%name%'])
  expect(text).toMatch(/\u0640، /)
})
