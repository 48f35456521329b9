/**
 * Servers that are killed at every step of a write and of a delivery lose no durable event, and send none for a change
 * that did not happen.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { DurableEvent } from '#core'
import { createClient } from '#shared/client/client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { arm, chooseSteps, countSteps, deathOf, killAtEach, startDying } from '#test/crash-steps'
import { ENGINES, type EngineName, makeDatabase } from '#test/databases'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import type { RunningServer } from '#test/start-server'

const KILLS: Record<EngineName, number> = { sqlite: 6, postgres: 4, mysql: 4 }
/** Kills on each engine instead; 200 are worth a run of their own. */
const MORE_KILLS = Number(process.env.MAYFLY_TEST_CRASH_KILLS || 0)
/** Steps of each engine at which servers are killed. Each kind must be hit. */
const KINDS: Record<EngineName, string[]> = {
  sqlite: ['before COMMIT', 'after COMMIT', 'before INSERT', 'after INSERT'],
  postgres: ['before query', 'after query'],
  mysql: ['before query', 'after query'],
}
const PLUGIN = join(ROOT, 'test/fixtures/plugins/event-file.js')

/** Responses that the client received before the server died. */
interface Attempt {
  id?: string
  isViewed?: boolean
}

describe.concurrent.each(ENGINES)('on %s', (engine) => {
  const options = { timeout: 1_800_000, ...(engine === 'sqlite' ? {} : needs(engine)) }
  test('a killed server loses no event and sends none without its change', options, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-events-'))
    const database = await makeDatabase(engine)
    const port = engine === 'sqlite' ? '' : new URL(database.options.url ?? '').port
    const env = { ...database.env, TEST_DIE_PORT: port, MAYFLY_PLUGINS: PLUGIN, MAYFLY_READ_GRACE_SECONDS: '3600' }
    const attempts: Attempt[] = []
    const round = async (server: RunningServer) => {
      await arm(server)
      const made: Attempt = {}
      attempts.push(made)
      await attempt(server, made).catch(() => {})
      // The delivery runs once a second, and has steps to die at.
      await Promise.race([server.ended, sleep(2500)])
    }
    const counting = await startDying(null, dataDir, env)
    await round(counting)
    const steps = chooseSteps(await countSteps(counting), MORE_KILLS || KILLS[engine], KINDS[engine])
    await counting.kill()
    const killAt = async (step: string) => {
      // A killed process keeps its lease for a minute. Without it, the next one delivers, too, and can be killed there.
      await database.db('leases').update({ ends_at: 0 })
      const server = await startDying(step, dataDir, env)
      await round(server).finally(() => server.kill())
      return deathOf(server)
    }
    const reached = await killAtEach(steps, KINDS[engine], killAt)
    // With more kills than steps, the steps are repeated.
    for (let kills = reached.length, at = 0; kills < MORE_KILLS; at++) {
      if (await killAt(reached[at % reached.length] ?? '')) kills++
    }

    await database.db('leases').update({ ends_at: 0 })
    const last = await startDying(null, dataDir, env)
    const isComplete = () => attempts.every((made) => missing(made, readEvents(dataDir)).length === 0)
    await vi.waitFor(() => expect(isComplete()).toBe(true), { timeout: 90_000, interval: 200 })
    await last.kill()
    expectNoForeignEvents(readEvents(dataDir), attempts)
    await database.drop()
    rmSync(dataDir, { recursive: true })
  })
})

async function attempt({ url }: RunningServer, made: Attempt): Promise<void> {
  const client = createClient({ server: url, retryMs: [] })
  const { body } = await encryptSecret({ text: encodeText('grün ☃'), ttl: 3600, maxViews: 1 })
  const { id } = await client.create(body, newClaim())
  made.id = id
  await client.view(id, { access: body.access as string, claim: newClaim() })
  made.isViewed = true
}

/** Types of the events that must have arrived for what the client knows. */
function missing({ id, isViewed }: Attempt, events: DurableEvent[]): string[] {
  const expected = [...(id ? ['secret.created'] : []), ...(isViewed ? ['secret.viewed', 'secret.burned'] : [])]
  const arrived = events.filter(({ data }) => 'secretId' in data && data.secretId === id).map(({ type }) => type)
  return expected.filter((type) => !arrived.includes(type as DurableEvent['type']))
}

/**
 * Per secret: one id for each type, in the order of the changes. A create whose response was lost may have events, too.
 */
function expectNoForeignEvents(events: DurableEvent[], attempts: Attempt[]): void {
  const bySecret = new Map<string, DurableEvent[]>()
  for (const event of events) {
    const { secretId } = event.data as { secretId: string }
    bySecret.set(secretId, [...(bySecret.get(secretId) ?? []), event])
  }
  expect(bySecret.size).toBeLessThanOrEqual(attempts.length)
  for (const own of bySecret.values()) {
    const unique = own.filter(({ id }, at) => own.findIndex((other) => other.id === id) === at)
    const types = unique.map(({ type }) => type)
    expect(types).toEqual(['secret.created', 'secret.viewed', 'secret.burned'].slice(0, types.length))
  }
}

function readEvents(dataDir: string): DurableEvent[] {
  const file = join(dataDir, 'events.ndjson')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}
