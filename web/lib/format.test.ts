import { expect, test } from 'vitest'
import {
  formatBytes,
  formatCountdown,
  formatDuration,
  formatInDuration,
  formatRange,
  sanitizeName,
  unitName,
} from './format.js'
import { formatRelativeTime } from './format-time.js'

test.each([
  [60, '1 minute'],
  [86_400, '1 day'],
  [90_061, '1 day, 1 hour, 1 minute, 1 second'],
  [3601, '1 hour, 1 second'],
  [0, '0 seconds'],
])('formatDuration of %i s is %s', (seconds, text) => {
  expect(formatDuration(seconds, 'en')).toBe(text)
})

test('formatDuration uses the language', () => {
  expect(formatDuration(2 * 3600, 'ar')).toBe('ساعتان')
  expect(['en', 'de', 'ja', 'he', 'ru'].map((language) => unitName('hour', language))).toEqual([
    'hours',
    'Stunden',
    '時間',
    'שעות',
    'часов',
  ])
})

test.each([
  [86_400_000, 'tomorrow'],
  [23 * 3_600_000, 'in 23 hours'],
  [90_000, 'in 2 minutes'],
  [1000, 'in 1 second'],
  [-3_600_000, '1 hour ago'],
])('formatRelativeTime of %i ms is %s', (offset, text) => {
  expect(formatRelativeTime(5_000_000_000_000 + offset, 5_000_000_000_000, 'en')).toBe(text)
})

test.each([
  [86_400, 'ru', 'через 1 день'],
  [3 * 86_400, 'de', 'in 3 Tagen'],
  [5400, 'pl', 'za 90 minut'],
  [3601, 'en', 'in 3,601 seconds'],
])('formatInDuration of %i s in %s is %s', (seconds, language, text) => {
  expect(formatInDuration(seconds, language)).toBe(text)
})

test('formatCountdown rounds up to minutes from a minute on', () => {
  expect([59, 60, 61, 3541].map((seconds) => formatCountdown(seconds, 'en'))).toEqual([
    'in 59 seconds',
    'in 1 minute',
    'in 2 minutes',
    'in 1 hour',
  ])
})

test('formatBytes chooses the unit', () => {
  expect([formatBytes(12, 'en'), formatBytes(1_048_576, 'en'), formatBytes(4_200_000, 'fr')]).toEqual([
    '12 bytes',
    '1 MB',
    '4,2\u202fMo',
  ])
})

test('sanitizeName removes control and bidi characters', () => {
  expect(sanitizeName('a\u202eb\u0000c\nd\u2066é☃')).toBe('abcdé☃')
})

test('formatRange uses the digits of the language', () => {
  expect(formatRange({ min: 12, max: 50 }, 'bn')).toEqual({ min: '১২', max: '৫০' })
})
