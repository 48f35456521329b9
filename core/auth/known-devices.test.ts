import { expect, test } from 'vitest'
import { DEVICE_DAYS, knownDevices } from './known-devices.js'

let now = Date.UTC(2026, 0, 1)
const devices = knownDevices(Buffer.alloc(32, 1), () => now)
const cookie = devices.issue('zoë')

test('a device is known for its user only', () => {
  const id = devices.identify('zoë', cookie)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(devices.identify('alice', cookie)).toBe(null)
  expect(devices.identify('zoë', devices.issue('zoë'))).not.toBe(id)
})

test('a changed cookie, another key, and anything else is no known device', () => {
  const [id, expiresAt, signature] = cookie.split('.')
  const longer = `${id}.${Number(expiresAt) + 1}.${signature}`
  for (const other of [longer, `${cookie}x`, cookie.slice(1), '', '..', 'x'.repeat(10_000)]) {
    expect(devices.identify('zoë', other), other).toBe(null)
  }
  expect(knownDevices(Buffer.alloc(32, 2), () => now).identify('zoë', cookie)).toBe(null)
})

test('a device is forgotten in the end', () => {
  const started = now
  now += DEVICE_DAYS * 86_400_000 - 1
  expect(devices.identify('zoë', cookie)).not.toBe(null)
  now += 1
  expect(devices.identify('zoë', cookie)).toBe(null)
  now = started
})
