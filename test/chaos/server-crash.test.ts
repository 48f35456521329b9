/**
 * A server that is killed between any two steps of create, view and acknowledge keeps what it acknowledged and delivers
 * nothing more often than allowed. Each round kills one step, restarts the server on the same file and asks.
 */
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { CreateSecret } from '#shared/api'
import { ApiError, type Client, createClient } from '#shared/client/client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { arm, chooseSteps, countSteps, deathOf, killAtEach, startDying } from '#test/crash-steps'
import { makeMemoryFolder } from '#test/memory-folder'
import type { RunningServer } from '#test/start-server'

/** Alone, and with concurrent requests, whose writes share transactions. */
const LANES = [
  { requests: 1, kills: 12 },
  { requests: 3, kills: 12 },
]
/** Each must be hit in each lane. */
const KINDS = [
  ...['BEGIN', 'COMMIT', 'INSERT', 'SELECT', 'UPDATE'].flatMap((sql) => [`before ${sql}`, `after ${sql}`]),
  'before response',
]
/** Not every round deletes. Other kinds happen in the first round only. */
const SOMETIMES = ['before DELETE', 'after DELETE']

/** One secret, and what its sender and reader received before the server died. */
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

test.concurrent.each(LANES)(
  'REL-04: a killed server keeps acknowledged secrets and views: $requests at once, $kills kills',
  async ({ requests, kills }) => {
    const dataDir = await makeMemoryFolder('mayfly-crash-')
    let before: Attempt[] = []
    /** Checks the data of the previous round, then sends requests until the server dies. */
    const round = async (server: RunningServer, number: number) => {
      for (const made of before) await expectKept(clientOf(server), made)
      await arm(server)
      before = await Promise.all(
        Array.from({ length: requests }, (_, at) => attempt(clientOf(server), 1 + ((number + at) % 3))),
      )
    }
    const env = { MAYFLY_READ_GRACE_SECONDS: '3600' }
    const counting = await startDying(null, dataDir, env)
    await round(counting, 0)
    const steps = chooseSteps(await countSteps(counting), kills, [...KINDS, ...SOMETIMES])
    await counting.kill()
    let rounds = 0
    await killAtEach(steps, KINDS, async (step) => {
      const server = await startDying(step, dataDir, env)
      await round(server, ++rounds).finally(() => server.kill())
      return deathOf(server)
    })
    const last = await startDying(null, dataDir, env)
    for (const made of before) await expectKept(clientOf(last), made)
    await last.kill()
    await rm(dataDir, { recursive: true })
  },
  1_800_000,
)

/** Create, view, acknowledge, until the server dies. */
async function attempt(client: Client, maxViews: number): Promise<Attempt> {
  const { body } = await encryptSecret({ text: encodeText('sécret ☃'), ttl: 3600, maxViews })
  const made: Attempt = { body, key: newClaim(), claim: newClaim(), maxViews }
  const { access = '' } = body
  try {
    made.created = (await client.create(body, made.key)).id
    made.viewed = (await client.view(made.created, { access, claim: made.claim })).text
    await client.ack(made.created, { access, claim: made.claim })
    made.acked = true
  } catch (error) {
    // The connection broke. An error response would be a failure.
    if (error instanceof ApiError) throw error
  }
  return made
}

async function expectKept(client: Client, made: Attempt): Promise<void> {
  const { body, key, claim, maxViews } = made
  const { access = '' } = body
  const again = await client.create(body, key)
  if (made.created) expect(again.id, 'the idempotency key returns the acknowledged secret').toBe(made.created)
  if (made.viewed) expect(made.viewed).toBe(body.text)
  const retried = await textOf(client, again.id, access, claim)
  if (made.acked) expect(retried, 'an acknowledged claim is over').toBe(404)
  // The acknowledgement may have arrived although its response was lost; otherwise the same claim gets the text again.
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
