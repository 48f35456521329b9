/**
 * Four servers on one database deliver every event to three targets, in order for each secret, also to a target that
 * was down.
 */
import { expect, test, vi } from 'vitest'
import { createClient } from '#shared/client/client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { makeDatabase } from '#test/databases'
import { checkArrivals, countDistinct, startEventReceiver, webhookEnv } from '#test/event-receiver'
import { needs } from '#test/needs'
import { startServer } from '#test/start-server'

const SERVERS = 4
const SECRETS = 200
const DOWN_MS = 5000
const LANES = 16
const TYPES = ['secret.created', 'secret.viewed', 'secret.burned']
const EVENTS = SECRETS * TYPES.length
/** Retries begin 5 s after an attempt. */
const ARRIVAL = { timeout: 60_000, interval: 100 }

test('all events of four processes reach three targets in order, one of which was down', {
  ...needs('postgres'),
  timeout: 120_000,
}, async () => {
  const receivers = await Promise.all([startEventReceiver(), startEventReceiver(), startEventReceiver()])
  const [down] = receivers
  down.setDown(true)
  const database = await makeDatabase('postgres')
  const env = { ...database.env, ...webhookEnv(receivers), MAYFLY_LOG: 'warn', MAYFLY_CLEANUP_SECONDS: '3600' }
  // One after the other, because the first one migrates.
  const servers = [await startServer({ env })]
  servers.push(...(await Promise.all(Array.from({ length: SERVERS - 1 }, () => startServer({ env })))))
  const clients = servers.map(({ port }) => createClient({ server: `http://127.0.0.1:${port}`, retryMs: [] }))
  const clientAt = (number: number) => clients[number % SERVERS] as (typeof clients)[number]
  setTimeout(() => down.setDown(false), DOWN_MS)

  let started = 0
  const lane = async () => {
    while (started < SECRETS) {
      const number = started++
      const { body } = await encryptSecret({ text: encodeText('grün ☃'), ttl: 3600, maxViews: 1 })
      const { id } = await clientAt(number).create(body, newClaim())
      // Another process than its creator.
      await clientAt(number + 1).view(id, { access: body.access as string, claim: newClaim() })
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  for (const { arrivals } of receivers) await vi.waitFor(() => expect(countDistinct(arrivals)).toBe(EVENTS), ARRIVAL)

  for (const { arrivals } of receivers) {
    expect(checkArrivals(arrivals, SECRETS, TYPES)).toMatchObject({ events: EVENTS, problems: [] })
  }
  await Promise.all([...servers.map((server) => server.stop()), ...receivers.map((receiver) => receiver.close())])
  await database.drop()
})
