/**
 * Tickets of secrets that are limited to an address. The rule is part of the ticket, because a ticket outlives its
 * secret. Only the hash of the whole ticket is stored, so a reader cannot change the rule, and the rule is encrypted,
 * so a reader does not see it.
 */
import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { isAllowedAddress } from '../lib/ip.js'

/** Random part of a ticket of 32 bytes: 120 bits. The rest are an IPv6 address and a prefix length. */
const RANDOM_BYTES = 15
const ADDRESS_BYTES = 16
const IPV6_BITS = 128

/** `ticket`: 32 bytes as base64url. `allowedIp`: an IP address or CIDR range. `key`: of the instance. */
export function limitTicket(ticket: string, allowedIp: string, key: Buffer): string {
  const [text = '', bits] = allowedIp.split('/')
  const address = ipaddr.parse(text)
  const mapped = address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address
  const ownBits = address instanceof ipaddr.IPv4 ? 32 : IPV6_BITS
  const mappedBits = Number(bits ?? ownBits) + IPV6_BITS - ownBits
  const random = Buffer.from(ticket, 'base64url').subarray(0, RANDOM_BYTES)
  const rule = Buffer.from([...mapped.toByteArray(), mappedBits])
  return Buffer.concat([random, applyMask(rule, random, key)]).toString('base64url')
}

/** False also for a ticket that is not from `limitTicket`, most of the time. */
export function isTicketAllowed(ticket: string, address: string | null, key: Buffer): boolean {
  const bytes = Buffer.from(ticket, 'base64url')
  const rule = applyMask(bytes.subarray(RANDOM_BYTES), bytes.subarray(0, RANDOM_BYTES), key)
  const bits = rule[ADDRESS_BYTES] ?? IPV6_BITS + 1
  if (bits > IPV6_BITS) return false
  const range = ipaddr.fromByteArray([...rule.subarray(0, ADDRESS_BYTES)])
  return isAllowedAddress(`${range.toString()}/${bits}`, address)
}

/** Encrypts and decrypts: each random part has its own mask. The stored hash of the ticket makes it authentic. */
function applyMask(rule: Buffer, random: Buffer, key: Buffer): Buffer {
  const mask = createHmac('sha256', key).update('mayfly/v1/ticket-address').update(random).digest()
  return Buffer.from(rule.map((byte, index) => byte ^ (mask[index] ?? 0)))
}
