import { describe, expect, test } from 'vitest'
import { resolveClientIp } from './client-ip.js'

const PROXIES = ['10.0.0.0/8', '2001:db8:1::/48']

describe('headers of an untrusted peer are ignored', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [undefined, null],
    ['', null],
  ])('%s', (peer, address) => {
    expect(resolveClientIp(peer, '', PROXIES)).toBe(address)
    expect(resolveClientIp(peer, '198.51.100.1', PROXIES)).toBe(address)
    expect(resolveClientIp(peer, '198.51.100.1', [])).toBe(address)
  })
})

describe('from a trusted peer, the rightmost address that is not a proxy counts', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7,10.0.0.2', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7 , 10.0.0.2', '203.0.113.7'],
    ['198.51.100.1,203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8:1::9', '2001:db8:1::9'],
    ['10.0.0.3,10.0.0.2', '10.0.0.3'],
    // A client can send a header of any length.
    [`${'198.51.100.1,'.repeat(40)}203.0.113.7`, '203.0.113.7'],
    [`${'1'.repeat(1025)}, 203.0.113.7, 10.0.0.2`, '203.0.113.7'],
  ])('%j', (forwarded, address) => {
    expect(resolveClientIp('10.0.0.1', forwarded, PROXIES)).toBe(address)
    expect(resolveClientIp('::ffff:10.0.0.1', forwarded, PROXIES)).toBe(address)
  })
})

describe('SEC-21: an unreadable address is unknown', () => {
  test.each([
    ['garbage'],
    ['203.0.113.7,garbage'],
    ['203.0.113.7,'],
    [','],
    ['unknown'],
    ['0x7f000001'],
    ['127.1'],
    ['203.0.113.7;10.0.0.1'],
    ['1.2.3.4.5'],
    // Only the peer is known, and it is not a client.
    [''],
    [`203.0.113.7${',10.0.0.2'.repeat(32)}`],
    [`203.0.113.7${', 10.0.0.2'.repeat(31)}${' '.repeat(1024)}`],
    ['1'.repeat(1025)],
  ])('%j', (forwarded) => {
    expect(resolveClientIp('10.0.0.1', forwarded, PROXIES)).toBe(null)
  })
})
