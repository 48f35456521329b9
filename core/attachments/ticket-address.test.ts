import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { PROOF_PATTERN } from '../shared/api/index.js'
import { isTicketAllowed, limitTicket } from './ticket-address.js'

const KEY = Buffer.alloc(32, 7)
const ticket = randomBytes(32).toString('base64url')

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
  ['203.0.113.0/24', '203.0.113.7', '203.0.114.7'],
  ['::ffff:203.0.113.0/120', '203.0.113.7', '203.0.114.7'],
  ['2001:db8::1', '2001:db8::1', '2001:db8::2'],
  ['2001:db8::/32', '2001:db8:ffff::1', '203.0.113.7'],
  ['0.0.0.0/0', '203.0.113.7', '2001:db8::1'],
])('a ticket for %s is valid at %s, not at %s or an unknown address', (allowedIp, inside, outside) => {
  const limited = limitTicket(ticket, allowedIp, KEY)
  expect(limited).toMatch(PROOF_PATTERN)
  expect(limited).toBe(limitTicket(ticket, allowedIp, KEY))
  expect([inside, outside, null].map((address) => isTicketAllowed(limited, address, KEY))).toEqual([true, false, false])
})

test('tickets for one network differ', () => {
  const other = randomBytes(32).toString('base64url')
  expect(limitTicket(ticket, '10.0.0.0/8', KEY)).not.toBe(limitTicket(other, '10.0.0.0/8', KEY))
})

test('a ticket does not show its network, and has the same form for every network', () => {
  const bytes = Buffer.from(limitTicket(ticket, '2001:db8:1234:5678::/64', KEY), 'base64url')
  expect(bytes).toHaveLength(32)
  expect(bytes.toString('hex')).not.toMatch(/20010db8|12345678/)
  const rules = ['203.0.113.0/24', '203.0.113.0/24'].map((range) =>
    Buffer.from(limitTicket(randomBytes(32).toString('base64url'), range, KEY), 'base64url').subarray(15),
  )
  expect(rules[0]?.equals(rules[1] as Buffer)).toBe(false)
  expect(isTicketAllowed(limitTicket(ticket, '203.0.113.0/24', KEY), '203.0.113.7', Buffer.alloc(32, 8))).toBe(false)
})

test('no other ticket causes an error', () => {
  for (let n = 0; n < 500; n++) isTicketAllowed(randomBytes(32).toString('base64url'), '203.0.113.7', KEY)
})
