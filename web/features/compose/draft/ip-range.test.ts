import { expect, test } from 'vitest'
import { CreateSecret } from '#shared/api'
import { includesAddress, isIpRange } from './ip-range.js'

const GOOD = [
  '203.0.113.7',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '255.255.255.255/32',
  '::1',
  '2001:db8::/32',
  'fe80::1/128',
  '::ffff:192.0.2.1',
  '2001:DB8:0:0:0:0:0:1',
]
const BAD = [
  '',
  '300.1.1.1',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '2001:db8::/129',
  '::1::',
  ':',
  'fe80::1%eth0',
  '[::1]',
  'localhost',
  '0x7f.1',
  '1.2.3.4 ',
  '١.٢.٣.٤',
]

test.each(GOOD)('isIpRange accepts %s', (text) => {
  expect(isIpRange(text)).toBe(true)
})

test.each(BAD)('isIpRange rejects "%s"', (text) => {
  expect(isIpRange(text)).toBe(false)
})

test('isIpRange agrees with the schema of the server', () => {
  const accepts = (allowedIp: string) => CreateSecret.safeParse({ text: 'é', ttl: 60, allowedIp }).success
  expect([...GOOD, ...BAD].filter((text) => accepts(text) !== isIpRange(text))).toEqual([])
})

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['10.0.0.0/8', '10.255.1.2', true],
  ['10.0.0.0/9', '10.255.1.2', false],
  ['0.0.0.0/0', '203.0.113.7', true],
  ['2001:db8::/32', '2001:db8:1::5', true],
  ['2001:db8::/33', '2001:db8:ffff::5', false],
  ['::1', '::1', true],
  ['::/0', '203.0.113.7', false],
  ['10.0.0.0/8', '::1', false],
])('includesAddress(%s, %s) is %s', (range, address, isIncluded) => {
  expect(includesAddress(range, address)).toBe(isIncluded)
})
