/** The queue of an audit sink: order, retries, the bound, and the end of the process. */
import { createServer } from 'node:http'
import request from 'supertest'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AuditEntry } from '#core/contracts/audit'
import type { AuditSink } from '#core/contracts/audit-sink'
import { type LogFields, noLog } from '#core/lib/log'
import { definePlugin, type Plugin } from '#core/plugins/plugin'
import { memory } from '#test/memory-plugin'
import { testApp } from '#test/test-app'
import { createAuditSinkQueue } from './audit-sink-queue.js'

const entry = (number: number): AuditEntry => ({
  id: `id-${number}`,
  at: number,
  action: 'secret.created',
  actor: null,
  subject: '☃',
  address: null,
  detail: {},
})

/** A sink that fails or hangs on request. */
function createSink() {
  const written: AuditEntry[] = []
  const sink = { written, behavior: 'write' as 'write' | 'fail' | 'hang', batches: 0 }
  const write: AuditSink['write'] = async (entries) => {
    if (sink.behavior === 'fail') throw Object.assign(new Error('grün'), { code: 'ENOSPC' })
    if (sink.behavior === 'hang') await new Promise(() => {})
    sink.batches++
    written.push(...entries)
  }
  return Object.assign(sink, { write })
}

function open(limits: object = {}) {
  const lines: string[] = []
  const note = (msg: string, fields?: LogFields) => void lines.push(`${msg} ${JSON.stringify(fields)}`)
  const sink = createSink()
  const log = { ...noLog, error: note, info: note }
  const queue = createAuditSinkQueue({
    name: 'test',
    sink,
    log,
    now: () => 7,
    limits: { writeMs: 20, stopMs: 200, retryMs: 1, ...limits },
  })
  return { queue, sink, lines }
}
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test('entries are written in order and in few batches', async () => {
  const { queue, sink } = open()
  for (const number of numbers(450)) queue.add(entry(number))
  expect(sink.written).toEqual([])
  await queue.stop()
  expect(sink.written).toEqual(numbers(450).map(entry))
  expect(sink.batches).toBe(3)
})

test.each(['fail', 'hang'] as const)(
  'a sink that starts to %s loses nothing, and both ends of the outage are logged',
  async (behavior) => {
    const { queue, sink, lines } = open()
    sink.behavior = behavior
    for (const number of numbers(3)) queue.add(entry(number))
    await expect.poll(() => queue.state().isFailing).toBe(true)
    queue.add(entry(3))
    sink.behavior = 'write'
    await expect.poll(() => sink.written).toEqual(numbers(4).map(entry))
    expect(lines[0]).toContain('audit sink test failed')
    expect(lines.join()).not.toContain('grün')
    expect(lines.at(-1)).toContain('audit sink test works again')
    await queue.stop()
  },
)

test('a full queue drops further entries, counts them and reports them as one entry', async () => {
  const { queue, sink } = open({ queueMax: 5 })
  for (const number of numbers(12)) queue.add(entry(number))
  expect(queue.state()).toEqual({ sink: 'test', waiting: 5, dropped: 7, isFailing: false })
  await queue.stop()
  expect(sink.written.slice(0, 5)).toEqual(numbers(5).map(entry))
  expect(sink.written.slice(5)).toEqual([
    expect.objectContaining({ action: 'audit.dropped', detail: { entries: 7, sink: 'test' } }),
  ])
})

test('stop ends in time when the sink hangs, and logs the number of lost entries', async () => {
  const { queue, sink, lines } = open({ writeMs: 60_000, stopMs: 20 })
  sink.behavior = 'hang'
  for (const number of numbers(4)) queue.add(entry(number))
  await queue.stop()
  expect(lines).toEqual(['audit entries not written to a sink {"sink":"test","entries":4}'])
})

test('a sink of a plugin gets the entries of the audit log with the same ids, also entries that it refused at first', async () => {
  const sink = createSink()
  const setup = () => ({ auditSink: { write: sink.write } })
  const plugin = definePlugin({ contract: 1, name: 'sink', options: z.object({}), setup }) as Plugin
  const app = await testApp(memory, { plugins: [plugin] })
  sink.behavior = 'fail'
  await request(createServer(app.handler)).post('/api/v1/secret').send({ text: 'grün ☃', ttl: 60 }).expect(201)
  await app.audit.flush()
  const stored = await app.storage.audit.list({}, { skip: 0, take: 100 })
  expect(stored.map(({ action }) => action)).toEqual(['secret.created'])
  await expect.poll(app.audit.sinks).toEqual([{ sink: 'sink', waiting: 1, dropped: 0, isFailing: true }])
  sink.behavior = 'write'
  await app.close()
  expect(sink.written).toEqual(stored)
})
