/** Six processes of the product on one database of each engine, and more readers than there are views. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '#shared/client'
import { encodeText } from '#shared/envelope'
import { newClaim } from '#shared/keys'
import { seal } from '#shared/sealing'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { describeEachEngine } from '#test/for-each-engine'
import { type RunningServer, startServer } from '#test/start-server'

const PROCESSES = 6
/** Twice 5 secrets of 1, 2, 3 and 6 views, each asked for 48 times: 1,920 attempts at 120 views. */
const LIMITS = [1, 2, 3, 6, 1, 2, 3, 6]
const SECRETS = 5
const READERS = 48
const VIEWS = 120

describeEachEngine((engine) => {
  let database: TestDatabase
  let servers: RunningServer[] = []
  beforeAll(async () => {
    database = await makeDatabase(engine)
    // All at once, on an empty database: they also race for the migrations.
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
    const { body } = await seal({ text: encodeText(`sécret ${number}`), ttl: 600, maxViews })
    const { id } = await clientOf(number).create(body, newClaim())
    return { id, access: body.access as string }
  }

  /** The status of the answer. */
  async function view(number: number, id: string, access: string): Promise<number> {
    try {
      await clientOf(number).view(id, { access, claim: newClaim() })
      return 200
    } catch (error) {
      return (error as { status?: number }).status ?? 0
    }
  }

  test(`${PROCESSES} processes give ${VIEWS} views to ${LIMITS.length * SECRETS * READERS} readers`, async () => {
    const statuses: number[] = []
    // Some at a time, so that a slow machine is not out of patience before their turn comes.
    for (const maxViews of LIMITS) {
      const secrets = await Promise.all(Array.from({ length: SECRETS }, (_, number) => create(number, maxViews)))
      const asked = Array.from({ length: READERS }, (_, reader) =>
        secrets.map(({ id, access }, at) => view(reader + at, id, access)),
      )
      statuses.push(...(await Promise.all(asked.flat())))
    }
    const count = (wanted: number) => statuses.filter((status) => status === wanted).length
    expect(statuses).toHaveLength(1920)
    expect({ granted: count(200), refused: count(404) }).toEqual({ granted: VIEWS, refused: 1920 - VIEWS })
    const kept = await database.db('secrets').select('views', 'max_views')
    expect(kept).toHaveLength(LIMITS.length * SECRETS)
    expect(kept.filter((row) => row.views !== row.max_views)).toEqual([])
    for (const server of servers) expect(server.log()).not.toMatch(/"error"|error /)
  }, 300_000)
})
