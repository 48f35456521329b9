import { expect, test } from 'vitest'
import { REDACTED, redactOutput } from './redact-output.js'

const VALUE = 'pä$$ "wörd"&\tx☃y=z'
const LINES = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\r\nhkiG9w0BAQEFAASC\n}\n-----END KEY-----\n'
const bytes = Buffer.from(VALUE)
const wrap = (text: string, width: number) => text.replace(new RegExp(`(.{${width}})`, 'g'), '$1\n')

test.each([
  ['itself', VALUE],
  ['base64', bytes.toString('base64')],
  ['base64 without padding', bytes.toString('base64').replace(/=+$/, '')],
  ['base64url', bytes.toString('base64url')],
  ['base64 in lines', wrap(bytes.toString('base64'), 8)],
  ['hex', bytes.toString('hex')],
  ['hex in capital letters', bytes.toString('hex').toUpperCase()],
  ['hex with spaces', bytes.toString('hex').replace(/(..)/g, '$1 ')],
  ['percent encoding', encodeURIComponent(VALUE)],
  ['percent encoding of a form', new URLSearchParams({ x: VALUE }).toString().slice(2)],
  ['percent encoding of every byte', [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')],
  ['JSON', JSON.stringify(VALUE).slice(1, -1)],
])('a value as %s is replaced', (_, form) => {
  const clean = redactOutput(`before ${form} after ${form}`, [VALUE])
  expect(clean).toMatch(/^before \[redacted\]=* ?\n? after \[redacted\]=* ?\n?$/)
  expect(clean.match(/\[redacted\]/g)).toHaveLength(2)
})

test.each(['user', 'user1', 'user12'])('a value behind %s in base64 is replaced', (user) => {
  const secret = 'correct horse battery'
  const encoded = Buffer.from(`${user}:${secret}@host`).toString('base64')
  const clean = redactOutput(`Authorization: Basic ${encoded}`, [secret])
  expect(clean).toContain(REDACTED)
  for (let at = 0; at + 8 <= encoded.length; at += 4) {
    const piece = Buffer.from(encoded.slice(at, at + 8), 'base64').toString()
    if (secret.includes(piece)) expect(clean).not.toContain(encoded.slice(at, at + 8))
  }
})

test('each line of a value with several lines is replaced, and short lines are not', () => {
  const shown = LINES.split(/\r?\n/).map((line, number) => `${number}: ${line}`)
  expect(redactOutput(shown.join('\n'), [LINES])).toBe(
    `0: ${REDACTED}\n1: ${REDACTED}\n2: ${REDACTED}\n3: }\n4: ${REDACTED}\n5: `,
  )
  expect(redactOutput(`<${Buffer.from(LINES).toString('base64')}>`, [LINES])).toMatch(/^<\[redacted\]=*>$/)
})

test('a value at the end of the shown text is replaced as a whole', () => {
  const text = `${'x'.repeat(95)}secret-value and more`
  expect(redactOutput(text, ['secret-value'], 100)).toBe(`${'x'.repeat(95)}${REDACTED}`)
  expect(redactOutput(text, ['secret-value'], 95)).toBe('x'.repeat(95))
  expect(redactOutput('nothing', ['secret-value', ''])).toBe('nothing')
})
