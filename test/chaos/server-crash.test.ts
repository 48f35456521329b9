/**
 * A server that is killed between any two steps of create, view and ack loses nothing that it acknowledged and delivers
 * nothing more often than it may. Each round kills it one step later, restarts it on the same file and asks.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { CreateSecret } from '#shared/api'
import { ApiError, type Client, createClient } from '#shared/client'
import { encodeText } from '#shared/envelope'
import { newClaim } from '#shared/keys'
import { seal } from '#shared/sealing'
import { type RunningServer, startServer } from '#test/start-server'

const ROUNDS = 200
/** Alone, and in company, whose writes share transactions. `steps`: more than there are, so that some rounds end in peace. */
const LANES = [
  { company: 1, steps: 38 },
  { company: 3, steps: 99 },
]

/** One secret and what its sender and reader heard before the server died. */
interface Attempt {
  body: CreateSecret
  key: string
  claim: string
  maxViews: number
  created?: string
  viewed?: string
  acked?: boolean
}

const clientOf = ({ url }: RunningServer) => createClient({ server: url, retryMs: [] })
const dyingDriver = fileURLToPath(new URL('../fixtures/dying-driver.cjs', import.meta.url))

test.concurrent.each(LANES)(
  `${ROUNDS / LANES.length} kills of $company at once`,
  async ({ company, steps }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'mayfly-crash-'))
    const diedAt = new Set<number>()
    let before: Attempt[] = []
    for (let round = 0; round < ROUNDS / LANES.length; round++) {
      const dieAt = 1 + (round % steps)
      const server = await startServer({
        dataDir,
        nodeArgs: ['--require', dyingDriver],
        env: { MAYFLY_DIE_AT: String(dieAt), MAYFLY_PLUGINS: ',', MAYFLY_READ_GRACE_SECONDS: '3600' },
      })
      try {
        for (const made of before) await expectKept(clientOf(server), made)
        process.kill(server.pid, 'SIGUSR2')
        await server.logged(/armed/)
        const attempts = Array.from({ length: company }, (_, one) => attempt(clientOf(server), 1 + ((round + one) % 3)))
        before = await Promise.all(attempts)
        if (!before.every(({ acked }) => acked)) diedAt.add(dieAt)
      } finally {
        await server.kill()
      }
    }
    // It was killed at nearly every step there is (the sweeper's own may come in between), and lived past the last one.
    expect(diedAt.size).toBeGreaterThan(25)
    expect(Math.max(...diedAt)).toBeLessThan(steps)
  },
  600_000,
)

/** Create, view, acknowledge; stops where the server dies. */
async function attempt(client: Client, maxViews: number): Promise<Attempt> {
  const { body } = await seal({ text: encodeText('sécret ☃'), ttl: 3600, maxViews })
  const made: Attempt = { body, key: newClaim(), claim: newClaim(), maxViews }
  const { access = '' } = body
  try {
    made.created = (await client.create(body, made.key)).id
    made.viewed = (await client.view(made.created, { access, claim: made.claim })).text
    await client.ack(made.created, { access, claim: made.claim })
    made.acked = true
  } catch (error) {
    // The connection broke; an answer that tells of a failure would be one.
    if (error instanceof ApiError) throw error
  }
  return made
}

async function expectKept(client: Client, made: Attempt): Promise<void> {
  const { body, key, claim, maxViews } = made
  const { access = '' } = body
  const again = await client.create(body, key)
  if (made.created) expect(again.id, 'the acknowledged secret is the one that its key names').toBe(made.created)
  if (made.viewed) expect(made.viewed).toBe(body.text)
  const retried = await textOf(client, again.id, access, claim)
  if (made.acked) expect(retried, 'an acknowledged claim is over').toBe(404)
  // An ack may have arrived although its answer was lost; any other claim gets what it asked for, again if need be.
  else if (!made.viewed || retried !== 404) expect(retried).toBe(body.text)
  let delivered = 1
  while (delivered <= maxViews && (await textOf(client, again.id, access, newClaim())) === body.text) delivered++
  expect(delivered, `deliveries of ${maxViews}`).toBe(maxViews)
}

async function textOf(client: Client, id: string, access: string, claim: string): Promise<string | number> {
  try {
    return (await client.view(id, { access, claim })).text
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}
