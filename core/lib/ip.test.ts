import { expect, test } from 'vitest'
import { anonymizeIp, rateLimitPrefix } from './ip.js'

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
