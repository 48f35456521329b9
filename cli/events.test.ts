/** `mayfly events` beside a running server, and secrets with `--notify`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventReceiver, startEventReceiver, webhookEnv } from '#test/event-receiver'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

let folder: string
let receiver: EventReceiver
let server: LocalServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-events-'))
  receiver = await startEventReceiver()
  server = await startLocalServer({ dataDir: folder, env: webhookEnv([receiver]) })
})
afterAll(async () => {
  await server.stop()
  await receiver.close()
  await rm(folder, { recursive: true })
})

async function mayfly(args: string[], env: Record<string, string> = {}) {
  const own = { ...webhookEnv([receiver]), MAYFLY_DATA_DIR: folder, MAYFLY_SERVER: server.url, ...env }
  const { stdout, stderr, code } = await run(args, { env: own, cwd: folder, stdin: 'täxt ☃' })
  return { stdout: stdout.toString().trim(), stderr, code }
}

const list = async (...flags: string[]) => JSON.parse((await mayfly(['events', 'list', '--json', ...flags])).stdout)

test('events are listed with their results, delivered again with the same id, and purged', async () => {
  expect(await mayfly(['events', 'ping', 'webhook.target-1'])).toMatchObject({ code: 0, stdout: 'HTTP 204' })
  receiver.arrivals.splice(0)
  expect((await mayfly(['secret', 'create'])).code).toBe(0)
  await expect.poll(() => list('--state', 'delivered')).toHaveLength(1)
  const [event] = await list()
  expect(event).toMatchObject({
    type: 'secret.created',
    subscriber: 'webhook.target-1',
    result: 'HTTP 204',
    attempts: 1,
  })

  expect(await mayfly(['events', 'redeliver'])).toMatchObject({ code: 0, stderr: expect.stringContaining('queued 0') })
  expect((await mayfly(['events', 'redeliver', event.id])).stderr).toContain('queued 1 event')
  await expect.poll(() => receiver.arrivals.map(({ id }) => id)).toEqual([event.id, event.id])
  expect((await mayfly(['events', 'redeliver', 'evt_unknown'])).code).toBe(3)

  await expect.poll(() => list('--state', 'delivered')).toHaveLength(1)
  expect((await mayfly(['events', 'purge', '--subscriber', 'webhook.other'])).stderr).toContain('deleted 0 events')
  expect((await mayfly(['events', 'purge', '--state', 'delivered'])).stderr).toContain('deleted 1 event')
  expect(await list()).toEqual([])
  expect((await mayfly(['events', 'purge'])).code).toBe(2)
})

test('events redeliver without an id takes only events that were given up, unless a state is named', async () => {
  const { outbox } = server.app.storage
  const event = {
    subscriber: 'webhook.other',
    subject: 'secret:1',
    type: 'ping',
    data: '{}',
    createdAt: Date.now(),
  } as const
  await outbox.append([
    { ...event, id: 'evt_dead' },
    { ...event, id: 'evt_pending' },
  ])
  const update = { id: 'evt_dead', attempts: 13, nextAt: event.createdAt, endedAt: event.createdAt, result: 'HTTP 503' }
  await outbox.recordAttempts([{ ...update, state: 'dead' }])
  const redeliver = async (...flags: string[]) =>
    (await mayfly(['events', 'redeliver', '--subscriber', 'webhook.other', ...flags])).stderr
  expect(await redeliver()).toContain('queued 1 event\n')
  expect(await list('--subscriber', 'webhook.other', '--state', 'pending')).toHaveLength(2)
  expect(await redeliver()).toContain('queued 0 events')
  expect(await redeliver('--state', 'pending')).toContain('queued 2 events')
  expect((await mayfly(['events', 'purge', '--subscriber', 'webhook.other'])).stderr).toContain('deleted 2 events')
})

test('secret create --notify asks the server to tell the owner, and needs an account', async () => {
  expect((await mayfly(['user', 'add', 'alice', '--email', 'alice@example.org'])).code).toBe(0)
  const token = (await mayfly(['user', 'token', 'alice'])).stdout
  expect((await mayfly(['secret', 'create', '--notify'])).code).toBe(2)
  expect(await mayfly(['secret', 'create', '--notify'], { MAYFLY_TOKEN: token })).toMatchObject({ code: 0 })
  expect((await mayfly(['secret', 'create'], { MAYFLY_TOKEN: token })).code).toBe(0)
  const created = (await list()).filter(({ type }: { type: string }) => type === 'secret.created')
  expect(created.map(({ data }: { data: { notify: boolean } }) => data.notify)).toEqual([false, true])
})
