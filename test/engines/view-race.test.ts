/** Server processes on one database give out exactly the views that a secret has, on every engine. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '#shared/client/client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { type RunningServer, startServer } from '#test/start-server'

const PROCESSES = 4
/** Views of each secret. */
const VIEWS = Array.from({ length: 2 }, () => [1, 1, 2, 3, 6]).flat()
const READERS = 48

interface Outcome {
  status: number
  text?: string
}

describeEachEngine((engine) => {
  let database: TestDatabase
  let servers: RunningServer[] = []
  beforeAll(async () => {
    database = await makeDatabase(engine)
    // All at once on an empty database, so that they also race to migrate it.
    const env = { ...database.env, MAYFLY_LOG: 'warn', MAYFLY_PLUGINS: ',' }
    servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer({ env })))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await database.drop()
  })

  const clientOf = (number: number) =>
    createClient({ server: servers[number % PROCESSES]?.url ?? '', retryMs: [], timeoutMs: 120_000 })

  async function create(number: number, maxViews: number) {
    const { body } = await encryptSecret({ text: encodeText(`sécret ${number}`), ttl: 600, maxViews })
    const { id } = await clientOf(number).create(body, newClaim())
    return { id, access: body.access as string, text: body.text, maxViews }
  }

  async function view(number: number, id: string, access: string, claim = newClaim()): Promise<Outcome> {
    try {
      return { status: 200, text: (await clientOf(number).view(id, { access, claim })).text }
    } catch (error) {
      return { status: (error as { status?: number }).status ?? 0 }
    }
  }

  test(`REL-01: ${READERS} concurrent readers get exactly the views of each secret`, async () => {
    // One secret after the other, so that no query reaches its time limit on a slow machine.
    for (const [number, maxViews] of VIEWS.entries()) {
      const { id, access, text } = await create(number, maxViews)
      const outcomes = await Promise.all(Array.from({ length: READERS }, (_, reader) => view(reader, id, access)))
      const granted = outcomes.filter(({ status }) => status === 200)
      expect(granted).toEqual(Array(maxViews).fill({ status: 200, text }))
      const others = outcomes.filter(({ status }) => status !== 200).map(({ status }) => status)
      expect(others).toEqual(Array(READERS - maxViews).fill(404))
    }
    const stored = await database.db('secrets').select('views', 'max_views')
    expect(stored).toHaveLength(VIEWS.length)
    expect(stored.filter((row) => row.views !== row.max_views)).toEqual([])
    for (const server of servers) expect(server.log()).not.toMatch(/"error"|error /)
  }, 300_000)

  test('REL-02: concurrent views with one claim in all processes count once', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, access, text } = await create(round, 3)
      const claim = newClaim()
      const same = await Promise.all(Array.from({ length: 8 }, (_, reader) => view(reader, id, access, claim)))
      expect(same).toEqual(Array(8).fill({ status: 200, text }))
      const others = await Promise.all(Array.from({ length: 8 }, (_, reader) => view(reader, id, access)))
      expect(others.filter(({ status }) => status === 200)).toHaveLength(2)
    }
  })

  test('REL-21: concurrent creates with one Idempotency-Key in all processes create one secret', async () => {
    const { body } = await encryptSecret({ text: encodeText('sécret'), ttl: 600 })
    const key = newClaim()
    const created = await Promise.all(Array.from({ length: 20 }, (_, number) => clientOf(number).create(body, key)))
    expect(new Set(created.map((response) => JSON.stringify(response))).size).toBe(1)
  })

  // SEC-43
  test('SEC-43: a burn is effective in every process at once', async () => {
    const { id, access } = await create(0, PROCESSES + 1)
    expect((await view(1, id, access)).status).toBe(200)
    await clientOf(0).burn(id, { access })
    const outcomes = await Promise.all(Array.from({ length: PROCESSES }, (_, number) => view(number, id, access)))
    expect(outcomes.map(({ status }) => status)).toEqual(Array(PROCESSES).fill(404))
  })
})
