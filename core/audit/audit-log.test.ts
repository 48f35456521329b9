import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../contracts/audit.js'
import { AppError } from '../lib/errors.js'
import { createLog } from '../lib/log.js'
import type { AuditAction } from '../shared/event-catalog.js'
import { createAuditLog } from './audit-log.js'

const MINUTE = 60_000
const alice = { username: 'alice', address: '203.0.113.66' }
const visitor = (n = 0) => ({ username: null, address: `198.51.${n % 256}.${n >> 8}` })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** `failures`: errors that the store throws before it works again. */
function auditing(...failures: Error[]) {
  const entries: AuditEntry[] = []
  const clock = { now: Date.UTC(2026, 0, 1) }
  const log: string[] = []
  const append = vi.fn(async (more: AuditEntry[]) => {
    const failure = failures.shift()
    if (failure) throw failure
    entries.push(...more)
  })
  const audit = createAuditLog({
    store: { append, list: async () => entries },
    log: createLog('debug', 'json', (line) => void log.push(line)),
    now: () => clock.now,
  })
  return { audit, entries, append, clock, log }
}

test('an entry is written within a second, with a network instead of the address', async () => {
  const { audit, entries, clock } = auditing()
  await audit.note({ action: 'settings.changed', caller: alice, subject: 'read_only', detail: { to: true } })
  expect(entries).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(entries).toEqual([
    {
      id: expect.stringMatching(/^[a-z0-9]{29}$/),
      at: clock.now,
      action: 'settings.changed',
      actor: 'alice',
      subject: 'read_only',
      address: '203.0.113.0/24',
      detail: { to: true },
    },
  ])
})

test('every subject can be stored by every engine', async () => {
  const { audit, entries } = auditing()
  await audit.note({ action: 'session.refused', caller: alice, subject: `a\0\n\ud800b${'é'.repeat(300)}` })
  await audit.flush()
  expect(entries[0]?.subject).toBe(`a\ufffdb${'é'.repeat(252)}`)
})

test('stop writes all entries, and callers do not wait for a slow store', async () => {
  const { audit, entries, append } = auditing()
  const later: (() => void)[] = []
  append.mockImplementationOnce(async (more) => {
    await new Promise<void>((resolve) => later.push(resolve))
    entries.push(...more)
  })
  await audit.note({ action: 'user.created', caller: alice, subject: 'one' })
  await vi.advanceTimersByTimeAsync(1000)
  for (let n = 0; n < 500; n++) await audit.note({ action: 'user.created', caller: alice, subject: `${n}` })
  const stopped = audit.stop()
  later[0]?.()
  await stopped
  expect(entries.map(({ subject }) => subject)).toEqual(['one', ...Array.from({ length: 500 }, (_, n) => `${n}`)])
  expect([...entries].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(entries)
})

test('entries wait while the store fails, which is logged once', async () => {
  const { audit, entries, log } = auditing(...Array.from({ length: 3 }, () => new AppError('storage.unavailable')))
  await audit.note({ action: 'user.created', caller: alice, subject: 'one' })
  await vi.advanceTimersByTimeAsync(3000)
  expect(entries).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(entries.map(({ subject }) => subject)).toEqual(['one'])
  expect(log).toEqual([
    expect.stringMatching(/audit log not written.*"cause":"storage.unavailable","waiting":1/),
    expect.stringMatching(/audit log written again.*"failures":3/),
  ])
})

test('SEC-41: the queue is bounded, and dropped entries are logged', async () => {
  const { audit, entries } = auditing(new AppError('storage.unavailable'))
  for (let n = 0; n < 10_007; n++) await audit.note({ action: 'user.created', caller: alice })
  await audit.flush()
  await audit.flush()
  expect(entries).toHaveLength(10_001)
  expect(entries.at(-1)).toMatchObject({ action: 'audit.dropped', detail: { entries: 7 } })
})

test('duplicate and invalid entries do not block other entries', async () => {
  const { audit, entries } = auditing(new AppError('storage.conflict'), new Error('hunter2'))
  for (const subject of ['one', 'two', 'three']) {
    await audit.note({ action: 'user.created', caller: alice, subject })
    await audit.flush()
  }
  expect(entries.map(({ subject, detail }) => subject ?? detail)).toEqual(['three', { entries: 1 }])
})

test('similar refusals are one entry at first, then one per minute with their number', async () => {
  const { audit, entries, clock } = auditing()
  const refuse = () => audit.note({ action: 'limit.reached', caller: visitor(), subject: 'sign-in' })
  for (let n = 0; n < 1000; n++) await refuse()
  await audit.flush()
  expect(entries).toHaveLength(1)
  clock.now += MINUTE
  await audit.flush()
  expect(entries[1]).toMatchObject({ action: 'limit.reached', subject: 'sign-in', detail: { times: 999 } })
  await refuse()
  await refuse()
  await audit.stop()
  expect(entries.slice(2).map(({ detail }) => detail)).toEqual([{}, { times: 1 }])
})

test('V16.4.2: a flood from one network hides neither another action nor another network', async () => {
  const { audit, entries } = auditing()
  const note = (action: AuditAction, subject: string | null, address: string) =>
    audit.note({ action, caller: { username: null, address }, subject })
  // Seven /64 networks of one /48.
  for (let n = 0; n < 5000; n++) await note('token.refused', `token-${n}`, `2001:db8:7:${n % 7}::1`)
  await note('session.refused', 'root ☃', '2001:db8:7:1::1')
  await note('token.refused', 'token of a user', '203.0.113.7')
  await audit.flush()
  expect(entries.length).toBeLessThan(70)
  expect(entries.slice(-2)).toMatchObject([
    { action: 'session.refused', subject: 'root ☃', address: '2001:db8:7::/48' },
    { action: 'token.refused', subject: 'token of a user', address: '203.0.113.0/24' },
  ])
})

test('V16.4.2: a flood of one action from many networks still shows the subjects', async () => {
  const { audit, entries } = auditing()
  for (let n = 0; n < 5000; n++) await audit.note({ action: 'session.refused', caller: visitor(n), subject: null })
  await audit.note({ action: 'session.refused', caller: visitor(9999), subject: 'root ☃' })
  await audit.flush()
  expect(entries.at(-1)).toMatchObject({ action: 'session.refused', subject: 'root ☃', address: null })
})

test('one network gets 20 complete entries of an action in an hour, then only its count', async () => {
  const { audit, entries, clock } = auditing()
  const refuse = async () => {
    for (let n = 0; n < 200; n++)
      await audit.note({ action: 'secret.password_wrong', caller: visitor(), subject: `${n}` })
    await audit.flush()
  }
  const complete = () => entries.filter(({ subject, address }) => subject !== null && address !== null).length
  await refuse()
  expect(complete()).toBe(20)
  for (let minute = 0; minute < 59; minute++) {
    clock.now += MINUTE
    await audit.flush()
  }
  expect(complete()).toBe(20)
  await refuse()
  expect(complete()).toBe(20)
  clock.now += MINUTE
  await refuse()
  expect(complete()).toBe(40)
})

test('refusals from many addresses do not fill the table', async () => {
  const { audit, entries, clock } = auditing()
  const refuse = (n: number) => audit.note({ action: 'request.wrong_host', caller: visitor(n) })
  for (let n = 0; n < 100_000; n++) await refuse(n % 60_000)
  await audit.flush()
  expect(entries).toHaveLength(101)
  clock.now += MINUTE
  await audit.stop()
  const counted = entries.reduce((sum, { detail }) => sum + Number(detail.times ?? 1), 0)
  expect(counted).toBe(100_000)
  expect(entries.length).toBeLessThanOrEqual(202)
})
