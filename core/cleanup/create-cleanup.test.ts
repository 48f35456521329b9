import { expect, test } from 'vitest'
import { memory, memoryFiles } from '#test/memory-plugin'
import { testApp } from '#test/test-app'
import type { Attachment } from '../contracts/attachments.js'
import type { FileStore } from '../contracts/file-store.js'
import type { RowStore } from '../contracts/rows.js'
import {
  aDeviceLogin,
  aHash,
  anAuditEntry,
  anEvent,
  anId,
  anUpload,
  aSession,
  aToken,
  DAY,
  MINUTE,
} from '../testing/lib/fixtures.js'

const STATES = ['delivered', 'skipped', 'dead'] as const
const TABLES = ['sessions', 'api_tokens', 'one_time_links', 'device_logins', 'rate_limits', 'audit', 'outbox']

test('a run deletes expired data of every kind, and nothing else', async () => {
  const app = await testApp(memory, { settings: { auditDays: 20 } })
  const { sessions, tokens, oneTimeLinks, deviceLogins, limits, audit, outbox, rows } = app.storage
  const { id: userId } = await app.signUp()

  /** Adds a row of every kind, which expires within 30 days. */
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

/** An instance with files. */
async function openFiles() {
  const app = await testApp(memory, { files: memoryFiles })
  const rows = app.storage.rows as RowStore
  const limits = { open: 1, bytes: null, windowMs: DAY, storedBytes: null }
  return {
    app,
    rows,
    clean: () => app.background.cleanup.run(),
    listFiles: async () => (await rows.read('attachments', null, 10)).map(({ id }) => id),
    /** Adds an upload. By default it has just ended. */
    async add(differing: Partial<Attachment> = {}): Promise<Attachment> {
      const upload = anUpload({ expiresAt: app.clock.now, ...differing })
      await app.storage.attachments.reserve(upload, limits, app.clock.now)
      return upload
    },
  }
}

test('a run deletes all ended files and copies, and keeps a file that a copy still has', async () => {
  const { app, rows, clean, listFiles, add } = await openFiles()
  const used = await add({ expiresAt: app.clock.now + 1 })
  const copied = await add({ expiresAt: app.clock.now - 1 })
  const [row = {}] = await rows.find('attachments', 'id', [copied.id])
  // More of each kind than a batch has.
  const others = Array.from({ length: 150 }, () => [
    { ...row, id: anId(), blob: used.blob },
    { ...row, id: anId(), blob: aHash().slice(0, 24), expires_at: app.clock.now },
  ])
  await rows.write('attachments', [{ ...row, id: anId() }, ...others.flat()])
  await clean()
  expect(await listFiles()).toEqual([used.id])
  await app.close()
})

test('REL-08: a file that cannot be deleted keeps its row until a later run, and does not block other files', async () => {
  const { app, clean, listFiles, add } = await openFiles()
  const failing = await add()
  for (let count = 0; count < 2; count++) await add()
  const store = app.fileStore as FileStore
  const { delete: remove } = store
  store.delete = (key) => (key.startsWith(failing.blob) ? Promise.reject(new Error('down')) : remove(key))
  await clean()
  expect(await listFiles()).toEqual([failing.id])
  store.delete = remove
  await clean()
  expect(await listFiles()).toEqual([])
  await app.close()
})
