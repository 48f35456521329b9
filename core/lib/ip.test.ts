import { expect, test } from 'vitest'
import { anonymizeIp, isAllowedAddress, isLoopbackHost, isNarrowerRange, rateLimitPrefix } from './ip.js'

test.each([
  ['203.0.113.66', '203.0.113.66', '203.0.113.0/24'],
  ['::ffff:203.0.113.66', '203.0.113.66', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', '2001:db8:1::/48'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::', '2001:db8:1::/48'],
  ['', '', null],
  ['203.0.113.66:1', '', null],
  [null, '', null],
])('%s', (address, network, neighbourhood) => {
  expect([rateLimitPrefix(address), anonymizeIp(address)]).toEqual([network, neighbourhood])
})

test.each([
  ['::ffff:203.0.113.0/120', '203.0.113.7', true],
  ['::ffff:203.0.113.0/120', '::ffff:203.0.113.7', true],
  ['::ffff:203.0.113.0/120', '203.0.114.7', false],
  ['::ffff:cb00:7107', '203.0.113.7', true],
  ['::ffff:203.0.113.7/128', '203.0.113.8', false],
  ['::ffff:0:0/96', '203.0.113.7', true],
  ['::ffff:0:0/96', '2001:db8::1', false],
  ['2001:db8::/32', '2001:db8::1', true],
  ['203.0.113.0/24', '203.0.113.7', true],
  ['203.0.113.0/24', null, false],
])('%s allows %s: %s', (allowed, address, isAllowed) => {
  expect(isAllowedAddress(allowed, address)).toBe(isAllowed)
})

test.each([
  ['203.0.113.7', null, true],
  ['203.0.113.7', '203.0.113.0/24', true],
  ['203.0.113.0/25', '203.0.113.0/24', true],
  ['203.0.113.0/24', '203.0.113.0/24', true],
  ['203.0.112.0/23', '203.0.113.0/24', false],
  ['203.0.114.7', '203.0.113.0/24', false],
  ['203.0.113.0/24', '203.0.113.7', false],
  ['::ffff:203.0.113.0/120', '203.0.113.0/24', true],
  ['::/0', '203.0.113.0/24', false],
  ['203.0.113.7', '::/0', false],
  ['2001:db8:1::/48', '2001:db8::/32', true],
])('%s is inside %s: %s', (range, allowed, isInside) => {
  expect(isNarrowerRange(range, allowed)).toBe(isInside)
})

test.each([
  ...['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.8.8.8', '::1', '[::1]', '::ffff:127.0.0.1'].map(
    (host) => [host, true] as const,
  ),
  ...['', 'db', '10.0.0.1', 'localhost.example.org', '127.example.org', '127.1', '2001:db8::1'].map(
    (host) => [host, false] as const,
  ),
])('%j is a loopback host: %s', (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback)
})
