/** HTTP receivers of webhooks that remember what arrived, and can be down. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ArrivedEvent {
  /** Header `webhook-id`. */
  id: string
  type: string
  secretId: string
}

export interface EventReceiver {
  url: string
  /** Every accepted request, in the order of arrival. */
  arrivals: ArrivedEvent[]
  /** While it is down, it closes each connection without a response. */
  setDown(isDown: boolean): void
  close(): Promise<void>
}

const SECRET = `whsec_${Buffer.alloc(24, 'ö').toString('base64')}`

export async function startEventReceiver(): Promise<EventReceiver> {
  const arrivals: ArrivedEvent[] = []
  let isDown = false
  const server = createServer(async (request, response) => {
    if (isDown) return void request.socket.destroy()
    const { type, data } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    arrivals.push({ id: String(request.headers['webhook-id']), type, secretId: data.secretId })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hööks`,
    arrivals,
    setDown(next) {
      isDown = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Variables of a server that sends events to these receivers. `events`: their types; empty: all. */
export function webhookEnv(receivers: EventReceiver[], events: string[] = []): Record<string, string> {
  const targets = receivers.map(({ url }, index) => ({ name: `target-${index + 1}`, url, secrets: [SECRET], events }))
  return {
    MAYFLY_PLUGINS: 'web,webhook',
    MAYFLY_WEBHOOK_ALLOW: '127.0.0.1',
    MAYFLY_WEBHOOK_TARGETS: JSON.stringify(targets),
  }
}

/** Number of different events that arrived. */
export const countDistinct = (arrivals: ArrivedEvent[]): number => new Set(arrivals.map(({ id }) => id)).size

export interface ArrivalCheck {
  /** Different events. */
  events: number
  /** Arrivals of events that had arrived before. */
  repeated: number
  /** Empty: every secret has exactly the expected events, each with one id, in order of their first arrival. */
  problems: string[]
}

/** Checks the arrivals at one receiver. `secrets`: their number. `types`: of the events of each, in order. */
export function checkArrivals(arrivals: ArrivedEvent[], secrets: number, types: string[]): ArrivalCheck {
  const bySecret = new Map<string, Map<string, string>>()
  for (const { id, type, secretId } of arrivals) {
    const typeOf = bySecret.get(secretId) ?? new Map<string, string>()
    bySecret.set(secretId, typeOf)
    // A map keeps the order of first arrivals.
    if (!typeOf.has(id)) typeOf.set(id, type)
  }
  const problems = [...bySecret].flatMap(([secretId, typeOf]) => {
    const arrived = [...typeOf.values()].join()
    return arrived === types.join() ? [] : [`${secretId}: ${arrived}`]
  })
  if (bySecret.size !== secrets) problems.push(`events of ${bySecret.size} secrets instead of ${secrets}`)
  const events = countDistinct(arrivals)
  return { events, repeated: arrivals.length - events, problems }
}
