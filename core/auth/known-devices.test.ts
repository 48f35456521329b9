import { expect, test } from 'vitest'
import { DEVICE_DAYS, identifyDevice, issueDeviceCookie } from './known-devices.js'

const ZOE = { id: 'zoë', epoch: 0, devicesSince: null }
let now = Date.UTC(2026, 0, 1)
const app = { key: Buffer.alloc(32, 1), now: () => now }
const cookie = issueDeviceCookie(app, ZOE)

test('a device is known for its user only', () => {
  const id = identifyDevice(app, ZOE, cookie)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(identifyDevice(app, { ...ZOE, id: 'alice' }, cookie)).toBe(null)
  expect(identifyDevice(app, ZOE, issueDeviceCookie(app, ZOE))).not.toBe(id)
  expect(identifyDevice(app, { ...ZOE, epoch: 1 }, cookie)).toBe(null)
  expect(identifyDevice(app, null, cookie)).toBe(null)
})

test('a changed cookie, a cookie of another key and any other text are not known devices', () => {
  const [id, expiresAt, signature] = cookie.split('.')
  const longer = `${id}.${Number(expiresAt) + 1}.${signature}`
  for (const other of [longer, `${cookie}x`, cookie.slice(1), '', '..', 'x'.repeat(10_000)]) {
    expect(identifyDevice(app, ZOE, other), other).toBe(null)
  }
  expect(identifyDevice({ ...app, key: Buffer.alloc(32, 2) }, ZOE, cookie)).toBe(null)
})

test('a user who forgets the devices keeps devices that sign in afterwards', () => {
  const forgotten = { ...ZOE, devicesSince: now + 1 }
  expect(identifyDevice(app, forgotten, cookie)).toBe(null)
  expect(
    identifyDevice({ ...app, now: () => now + 1 }, forgotten, issueDeviceCookie({ ...app, now: () => now + 1 }, ZOE)),
  ).not.toBe(null)
})

test('a device is forgotten after its lifetime', () => {
  const started = now
  now += DEVICE_DAYS * 86_400_000 - 1
  expect(identifyDevice(app, ZOE, cookie)).not.toBe(null)
  now += 1
  expect(identifyDevice(app, ZOE, cookie)).toBe(null)
  now = started
})
