import { expect, test } from 'vitest'
import { memory } from '#test/memory-plugin'
import { testApp } from '#test/test-app'
import { aDeviceLogin, aHash, anAuditEntry, anEvent, aSession, aToken, DAY, MINUTE } from '../testing/lib/fixtures.js'

const STATES = ['delivered', 'skipped', 'dead'] as const
const TABLES = ['sessions', 'api_tokens', 'one_time_links', 'device_logins', 'rate_limits', 'audit', 'outbox']

test('a run deletes what has expired, of every kind, and nothing else', async () => {
  const app = await testApp(memory, { settings: { auditDays: 20 } })
  const { sessions, tokens, oneTimeLinks, deviceLogins, limits, audit, outbox, rows } = app.storage
  const { id: userId } = await app.signUp()

  /** Adds a row of every kind, which lasts for up to 30 days. */
  async function addRows(): Promise<void> {
    const { now } = app.clock
    const expiresAt = now + MINUTE
    await sessions.open(aSession({ userId, expiresAt }), 20, now)
    await tokens.create({ token: aToken({ userId, expiresAt }), max: 100, now })
    await oneTimeLinks.create({ hash: aHash(), purpose: 'password-reset', userId, email: null, expiresAt, epoch: 0 })
    await deviceLogins.create(aDeviceLogin({ expiresAt }))
    await limits.consume([{ name: aHash(), points: 1, limit: 1, windowMs: MINUTE }], now)
    await audit.append([anAuditEntry({ at: now })])
    for (const state of STATES) {
      const event = anEvent({ createdAt: now })
      await outbox.append([event])
      await outbox.recordAttempts([{ id: event.id, state, attempts: 1, nextAt: now, endedAt: now, result: 'ü' }])
    }
  }
  const count = async () =>
    Promise.all(TABLES.map(async (table) => [table, (await rows?.read(table, null, 100))?.length] as const))

  await addRows()
  const before = await count()
  app.clock.now += 30 * DAY + 1
  await addRows()
  await app.background.cleanup.run()
  expect(await count()).toEqual(before)
  expect(before.map(([, rows]) => rows)).toEqual([1, 1, 1, 1, 1, 1, STATES.length])
  await app.close()
})
