import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration } from './duration.js'
import { escapeBytes, isPrintable, toMessage, toSafeJson, toSafeLines, toSingleLine } from './sanitize.js'

describe('text for terminals', () => {
  test('toSingleLine removes control and bidirectional characters', () => {
    expect(toSingleLine('a\x1b[2Jb\u009bc\u202ed\r\n e\u2028f')).toBe('a[2Jbcd efff'.slice(0, -2))
  })

  test('toSingleLine replaces line breaks and the space around them by one space', () => {
    expect(toSingleLine('ä \t\n \r\n b  ☃\n')).toBe('ä b  ☃ ')
  })

  test('toSafeLines keeps line breaks and tabs only', () => {
    expect(toSafeLines('a\x1b]0;x\x07\tb\r\nc\rd\u009be\u202ef\u2028g\u200fh')).toBe('a]0;x\tb\r\ncdefgh')
  })

  test('toSafeJson escapes unsafe characters and keeps the value', () => {
    const value = { text: 'a\x1b\u009b\u202e\u2028\x7f\u2066é☃' }
    expect(toSafeJson(value)).toBe('{"text":"a\\u001b\\u009b\\u202e\\u2028\\u007f\\u2066é☃"}\n')
    expect(JSON.parse(toSafeJson(value))).toEqual(value)
  })

  // Quadratic time would be about 10 minutes.
  test.each([' ', '\t', '\u00a0', '\n'])(
    'SEC-35: toSingleLine and toMessage take linear time for 1 MB of %j',
    (space) => {
      const text = `☃${space.repeat(1_000_000)}☃`
      const start = performance.now()
      toSingleLine(text)
      toMessage(text)
      expect(performance.now() - start).toBeLessThan(3_000)
    },
  )

  test.each([
    ['pässwörd ☃\tand\r\nmore\n', true],
    ['\x1b[31mred', false],
    ['a\rb', false],
    ['\u009b', false],
    ['\x7f', false],
    ['user\u202etxt.exe', false],
    ['שלום\u200f', true],
  ])('isPrintable(%j) is %s', (text, expected) => {
    expect(isPrintable(Buffer.from(text))).toBe(expected)
  })

  test('isPrintable is false for invalid UTF-8', () => {
    expect(isPrintable(Buffer.from([0x61, 0xff]))).toBe(false)
  })

  test('escapeBytes is reversible', () => {
    expect(escapeBytes(Buffer.from('é\x1b[0m\\\r\n\u009b'))).toBe('é\\x1b[0m\\\\\r\n\\xc2\\x9b')
    expect(escapeBytes(Buffer.from([0x61, 0xff, 0x00, 0x0a]))).toBe('a\\xff\\x00\n')
  })

  test.each([
    ['The password is wrong. It was not used up.', 'the password is wrong. It was not used up'],
    ['HTTP is refused.', 'HTTP is refused'],
    ['ttl: must be at most 5', 'ttl: must be at most 5'],
  ])('toMessage(%j) is %j', (sentence, expected) => {
    expect(toMessage(sentence)).toBe(expected)
  })
})

describe('durations', () => {
  test.each([
    ['90', 90],
    ['30s', 30],
    ['5m', 300],
    ['2h', 7200],
    ['1d', 86_400],
    ['2w', 1_209_600],
  ])('parseDuration(%s) is %i seconds', (text, seconds) => {
    expect(parseDuration('--ttl', text)).toBe(seconds)
  })

  test.each(['', '0', '0d', '-1', '1.5h', '1y', '1d2h', '1e3', ' ', '9'.repeat(10)])(
    'parseDuration(%j) throws',
    (text) => {
      expect(() => parseDuration('--ttl', text)).toThrow('--ttl is not a duration')
    },
  )

  test.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [90, '1 minute 30 seconds'],
    [86_399.6, '1 day'],
    [90_061, '1 day 1 hour'],
    [86_460, '1 day'],
  ])('formatDuration(%d) is %s', (seconds, expected) => {
    expect(formatDuration(seconds)).toBe(expected)
  })
})
