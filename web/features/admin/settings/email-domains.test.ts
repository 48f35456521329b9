import { expect, test } from 'vitest'
import { isDomainList, suggestDomains } from './email-domains.js'

test.each(['', ' ', 'example.org', 'Example.org, example.com', 'a.b.example.org'])(
  'isDomainList accepts "%s"',
  (text) => {
    expect(isDomainList(text)).toBe(true)
  },
)

test.each([
  ['@example.org', 'example.org'],
  ['alice@example.org', 'example.org'],
  ['example.org example.com', 'example.org, example.com'],
  ['example.org; @Example.org,', 'example.org'],
  ['https://example.org/', 'example.org'],
  ['example.org,', 'example.org'],
  ['localhost', null],
  ['192.0.2.1', null],
  ['exämple.org', null],
  ['@', null],
])('isDomainList rejects "%s" and suggestDomains returns %s', (text, suggestion) => {
  expect(isDomainList(text)).toBe(false)
  expect(suggestDomains(text)).toBe(suggestion)
  if (suggestion) expect(isDomainList(suggestion)).toBe(true)
})
