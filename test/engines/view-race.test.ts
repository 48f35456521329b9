/** Exactly N views, however many readers and server processes there are. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '#shared/client'
import { encodeText } from '#shared/envelope'
import { newClaim } from '#shared/keys'
import { seal } from '#shared/sealing'
import { type RunningServer, startServer } from '#test/start-server'

const SECRETS = 200
const READERS = 32
const AT_ONCE = 25
const PROCESSES = 4

let servers: RunningServer[]
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-race-'))
  // All at once, on an empty folder: they also race for the migrations.
  servers = await Promise.all(
    Array.from({ length: PROCESSES }, () => startServer({ dataDir, env: { MAYFLY_LOG: 'warn', MAYFLY_PLUGINS: ',' } })),
  )
})
afterAll(() => Promise.all(servers?.map((server) => server.stop()) ?? []))

const clientOf = (number: number) =>
  createClient({ server: servers[number % PROCESSES]?.url ?? '', retryMs: [], timeoutMs: 120_000 })

interface Outcome {
  status: number
  text?: string
}

async function view(number: number, id: string, access: string, claim: string): Promise<Outcome> {
  try {
    return { status: 200, text: (await clientOf(number).view(id, { access, claim })).text }
  } catch (error) {
    return { status: (error as { status?: number }).status ?? 0 }
  }
}

async function create(number: number, maxViews: number) {
  const { body } = await seal({ text: encodeText(`sécret ${number}`), ttl: 600, maxViews })
  const { id } = await clientOf(number).create(body, newClaim())
  return { id, access: body.access as string, text: body.text }
}

test(`${SECRETS} one-view secrets, ${READERS} readers each, ${PROCESSES} processes: exactly ${SECRETS} answers`, async () => {
  const secrets = await Promise.all(Array.from({ length: SECRETS }, (_, number) => create(number, 1)))
  const outcomes: Outcome[] = []
  // Some at a time, so that a slow machine is not out of patience before their turn comes.
  for (let from = 0; from < SECRETS; from += AT_ONCE) {
    const asked = Array.from({ length: READERS }, (_, reader) =>
      secrets.slice(from, from + AT_ONCE).map(({ id, access }, at) => view(reader + at, id, access, newClaim())),
    )
    outcomes.push(...(await Promise.all(asked.flat())))
  }
  const granted = outcomes.filter(({ status }) => status === 200)
  expect(granted).toHaveLength(SECRETS)
  expect(new Set(granted.map(({ text }) => text))).toEqual(new Set(secrets.map(({ text }) => text)))
  expect(outcomes.filter(({ status }) => status === 404)).toHaveLength(SECRETS * (READERS - 1))
}, 300_000)

test('one claim raced over all processes is one view and one answer', async () => {
  for (let round = 0; round < 20; round++) {
    const { id, access, text } = await create(round, 3)
    const claim = newClaim()
    const same = await Promise.all(Array.from({ length: 8 }, (_, reader) => view(reader, id, access, claim)))
    expect(same).toEqual(Array(8).fill({ status: 200, text }))
    const others = await Promise.all(Array.from({ length: 8 }, (_, reader) => view(reader, id, access, newClaim())))
    expect(others.filter(({ status }) => status === 200)).toHaveLength(2)
  }
}, 60_000)

test('one Idempotency-Key raced over all processes makes one secret', async () => {
  const { body } = await seal({ text: encodeText('sécret'), ttl: 600 })
  const key = newClaim()
  const created = await Promise.all(Array.from({ length: 20 }, (_, number) => clientOf(number).create(body, key)))
  expect(new Set(created.map((answer) => JSON.stringify(answer))).size).toBe(1)
})
