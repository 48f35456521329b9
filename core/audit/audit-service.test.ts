import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../contracts/audit.js'
import { AppError } from '../lib/errors.js'
import { createLog } from '../lib/log.js'
import { auditService } from './audit-service.js'

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
  const audit = auditService({
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
      ...{ id: expect.stringMatching(/^[a-z0-9]{29}$/), at: clock.now, action: 'settings.changed', actor: 'alice' },
      ...{ subject: 'read_only', address: '203.0.113.0/24', detail: { to: true } },
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

test('the queue is bounded, and dropped entries are logged', async () => {
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
