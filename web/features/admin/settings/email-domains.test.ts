import { expect, test } from 'vitest'
import { isDomainList, suggestDomains } from './email-domains.js'

test.each(['', ' ', 'example.org', 'Example.org, example.com', 'a.b.example.org'])('"%s" is fine', (text) => {
  expect(isDomainList(text)).toBe(true)
})

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
])('"%s" is not, and means %s', (text, meant) => {
  expect(isDomainList(text)).toBe(false)
  expect(suggestDomains(text)).toBe(meant)
  if (meant) expect(isDomainList(meant)).toBe(true)
})
