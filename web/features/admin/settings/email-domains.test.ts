import { expect, test } from 'vitest'
import { parseDomainList } from '#shared/domains'
import { suggestDomains } from './email-domains.js'

test.each(['', ' ', 'example.org', 'Example.org, example.com', 'a.b.example.org'])(
  'parseDomainList accepts "%s"',
  (text) => {
    expect(parseDomainList(text)).not.toBeNull()
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
])('parseDomainList rejects "%s" and suggestDomains returns %s', (text, suggestion) => {
  expect(parseDomainList(text)).toBeNull()
  expect(suggestDomains(text)).toBe(suggestion)
  if (suggestion) expect(parseDomainList(suggestion)).not.toBeNull()
})
