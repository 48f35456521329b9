import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName } from './file-name.js'

test.each([
  ['report.pdf', 'report.pdf'],
  ['Übersicht ☃ 日本.tar.gz', 'Übersicht ☃ 日本.tar.gz'],
  ['.env', '.env'],
  ['', 'file'],
  ['.', 'file'],
  ['..', 'file'],
  ['...', 'file'],
  [' . ', 'file'],
  ['\u202e', 'file'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['/etc/passwd', '_etc_passwd'],
  ['C:\\boot.ini', 'C__boot.ini'],
  ['a\0b\nc\x1b[2J', 'abc[2J'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['a\u2028b\u200bc\ud800', 'abc'],
  ['what? "no" <yes>|*.txt', 'what_ _no_ _yes___.txt'],
  ['name. . ', 'name'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['Com1 .log', '_Com1 .log'],
  ['lpt²', '_lpt²'],
  ['console.log', 'console.log'],
  ['-rf', '_-rf'],
  ['--use-compress-program=x', '_--use-compress-program=x'],
])('%j is saved as %j', (name, expected) => {
  expect(safeFileName(name)).toBe(expected)
})

test('a long name keeps its extension and whole characters', () => {
  expect(safeFileName(`${'é'.repeat(300)}.pdf`)).toBe(`${'é'.repeat(98)}.pdf`)
  expect(safeFileName(`${'😀'.repeat(300)}`)).toBe('😀'.repeat(50))
  expect(safeFileName(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(198)}`)
})

// With a quadratic algorithm each of these takes minutes to hours.
test.each([
  ['dots', '.', `${'.'.repeat(199)}x`],
  ['spaces', ' ', 'x'],
  ['dots and spaces', '. ', `${'. '.repeat(98)}.. x`],
  ['spaces and dots', ' .', `${'. '.repeat(99)}.x`],
  ['invisible characters', '\u200b', 'x'],
  ['characters', 'é', 'é'.repeat(100)],
])('SEC-35: safeFileName takes linear time for 1 MB of %s', (_, unit, expected) => {
  const name = `${unit.repeat(2 ** 20 / unit.length)}x`
  expect(safeFileName(name)).toBe(expected)
})

test('SEC-05: safeFileName never leads outside the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const safe = safeFileName(name)
      expect(safe).not.toMatch(/[/\\\p{Cc}]|^\.{0,2}$|[. ]$|^-/u)
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(201)
      expect(safeFileName(safe)).toBe(safe)
    }),
  )
})
