import { expect, test } from 'vitest'
import { formatLink, LinkError } from './link.js'
import { formatReceiptLink, parseReceiptFragment, parseReceiptLink } from './receipt-link.js'

const TOKEN = 'Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZmY'

test('a receipt link contains its token in the fragment', () => {
  const link = formatReceiptLink({ base: 'https://example.com/sub', token: TOKEN })
  expect(link).toMatch(/^https:\/\/example\.com\/sub\/receipt#1Zm9v[\w-]+$/)
  expect(parseReceiptLink(`“${link}”.`)).toEqual({ base: 'https://example.com/sub', token: TOKEN })
})

test('a changed receipt link, and a link of another kind, are no receipt links', () => {
  const link = formatReceiptLink({ base: 'https://example.com', token: TOKEN })
  const fragment = link.slice(link.indexOf('#') + 1)
  for (const wrong of [link.slice(0, -1), link.replace('Zm9v', 'Zm9w'), link.replace('receipt', 'collect'), 'ü ☃'])
    expect(() => parseReceiptLink(wrong), wrong).toThrow(LinkError)
  const secretLink = formatLink('https://example.com/secret/AAAAAAAAAAAAAAAAAAAAAA', fragment)
  expect(() => parseReceiptLink(secretLink)).toThrow(LinkError)
  expect(() => parseReceiptFragment('')).toThrow(LinkError)
})
