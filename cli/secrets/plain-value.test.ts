/** Links, plain values, and refused values that are similar to a link. */
import { expect, test } from 'vitest'
import { formatFragment, formatLink, LinkError } from '#shared/link'
import { isLink } from './plain-value.js'

const KEY = formatFragment(new Uint8Array(32).fill(7))
const ID = `${'b'.repeat(21)}A`
const URL = `https://secrets.example.org/base/secret/${ID}`
const LINK = formatLink(URL, KEY)

test('a whole link is a link, also without its key', () => {
  expect(isLink(LINK)).toBe(true)
  expect(isLink(URL)).toBe(true)
  expect(isLink(`${URL}#0`)).toBe(true)
})

test.each([
  '',
  '-',
  'true',
  '5432',
  'postgres://user:pa%23ss@db.example.org:5432/app?sslmode=require#1',
  'https://example.org/',
  'https://vault.example.org/v1/secret/data/app',
  '/run/secrets/db',
  'a secret/with words',
  '{"request": "/secret/"}',
  '1'.repeat(46),
  'x'.repeat(200_000),
])('%.60s is a plain value', (value) => {
  expect(isLink(value)).toBe(false)
})

const DAMAGED: [what: string, value: string][] = [
  ['a link without its last characters', LINK.slice(0, -3)],
  ['a link with a changed key', LINK.replace('#1', '#1A').slice(0, -1)],
  ['a link without its first characters', LINK.slice(9)],
  ['a link without its scheme and key', URL.slice(8)],
  ['a link that ends in its id', URL.slice(0, -12)],
  ['a link that ends after the path', URL.slice(0, -22)],
  ['a link in a text', `see ${LINK} for it`],
  ['a link in angle brackets', `<${LINK}>`],
  ['an encoded link', encodeURIComponent(LINK)],
  ['two links', `${LINK} ${LINK.replace('/base', '')}`],
  ['a key with #', `#${KEY}`],
  ['a key', KEY],
  ['part of a key', `#${KEY.slice(0, 30)}`],
  ['the id of a raw secret', `${ID}~${'b'.repeat(42)}A`],
  ['a request link', `https://secrets.example.org/request/${ID}#1${'b'.repeat(66)}`],
  ['a receipt link', `https://secrets.example.org/receipt#1${'b'.repeat(45)}`],
]
test.each(DAMAGED)('%s is neither a link nor a plain value', (_, value) => {
  expect(() => isLink(value)).toThrow(LinkError)
})
