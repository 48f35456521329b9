/** Tests of the requirements in core/contracts/audit-sink.ts. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../contracts/audit.js'
import type { AuditSink } from '../contracts/audit-sink.js'
import { anAuditEntry } from './lib/fixtures.js'

export interface OpenedAuditSink {
  sink: AuditSink
  /** The entries at the receiver so far, oldest first: at least the `id` of each entry. */
  read(): Promise<Pick<AuditEntry, 'id'>[]> | Pick<AuditEntry, 'id'>[]
  /** Makes the receiver unavailable. Leave it out when that is not possible. */
  breakReceiver?(): Promise<void> | void
  /** Makes the receiver available again. */
  repairReceiver?(): Promise<void> | void
  close(): Promise<void>
}

/** As many as the queue writes at once. */
const BATCH = 200
const ARRIVAL = { timeout: 10_000, interval: 20 }

/** Call it in a test file of your plugin, under vitest. `open` returns a sink with its own, empty receiver. */
export function auditSinkContract(open: () => Promise<OpenedAuditSink>): void {
  let opened: OpenedAuditSink
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())
  const receivedIds = async () => (await opened.read()).map(({ id }) => id)
  const expectIds = (ids: string[]) => vi.waitFor(async () => expect(await receivedIds()).toEqual(ids), ARRIVAL)

  test('write delivers every field of an entry', async () => {
    const entries = [anAuditEntry({ subject: 'jörg ☃ 🗝' }), anAuditEntry({ actor: null, subject: null, address: null })]
    await opened.sink.write(entries)
    await expectIds(entries.map(({ id }) => id))
    expect(await opened.read()).toEqual(entries.map((entry) => expect.objectContaining(entry)))
  })

  test('an entry with line ends and control characters stays one entry', async () => {
    const entries = [anAuditEntry({ subject: 'a\nb\r\n{"id":"forged"}\n\u0000\u2028c' }), anAuditEntry()]
    await opened.sink.write(entries)
    await expectIds(entries.map(({ id }) => id))
  })

  test(`batches of ${BATCH} entries arrive complete and in order`, async () => {
    const entries = Array.from({ length: 3 * BATCH }, () => anAuditEntry())
    for (let at = 0; at < entries.length; at += BATCH) await opened.sink.write(entries.slice(at, at + BATCH))
    await expectIds(entries.map(({ id }) => id))
  })

  test('an entry with long details arrives', async () => {
    const entry = anAuditEntry({ detail: { from: '☃'.repeat(2000), to: 'x'.repeat(2000) } })
    await opened.sink.write([entry])
    await expectIds([entry.id])
  })

  test('a batch that is written again while its first write runs arrives at least once, undamaged', async () => {
    const entries = Array.from({ length: BATCH }, () => anAuditEntry())
    await Promise.all([opened.sink.write(entries), opened.sink.write(entries)])
    const wanted = entries.map(({ id }) => id).sort()
    await vi.waitFor(async () => expect([...new Set(await receivedIds())].sort()).toEqual(wanted), ARRIVAL)
  })

  test('ping succeeds and writes nothing', async () => {
    await opened.sink.ping?.()
    const entry = anAuditEntry()
    await opened.sink.write([entry])
    await expectIds([entry.id])
  })

  test('write and ping reject while the receiver is unavailable, and write succeeds afterwards', async ({ skip }) => {
    const { sink, breakReceiver, repairReceiver } = opened
    if (!breakReceiver || !repairReceiver) return skip('the receiver is always available')
    const entry = anAuditEntry()
    await sink.write([anAuditEntry()])
    await breakReceiver()
    // A connection can accept data until it detects that the other side has closed it.
    await vi.waitFor(() => expect(sink.write([entry])).rejects.toThrow(), ARRIVAL)
    if (sink.ping) await expect(sink.ping()).rejects.toThrow()
    await repairReceiver()
    await vi.waitFor(() => sink.write([entry]), ARRIVAL)
    await vi.waitFor(async () => expect(await receivedIds()).toContain(entry.id), ARRIVAL)
  })
}
