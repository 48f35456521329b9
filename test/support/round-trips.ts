/** Round trips between a server and its database for one request, counted by a proxy between them. */
import { setTimeout } from 'node:timers/promises'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { makeDatabase } from './databases.js'
import { type RoundTripProxy, startRoundTripProxy } from './round-trip-proxy.js'
import { startServer } from './start-server.js'

export interface RoundTrips {
  create: number
  /** As the page and the command line create secrets. */
  createWithKey: number
  view: number
  /** A view of a secret that does not exist. */
  missing: number
}

/** Requests of each kind until caches are filled and connections are open. */
const WARM_UP = 5
const MEASURED = 15
/** Bytes of the texts before they are sealed. */
const SIZE = 256
/** Longer than a busy machine takes to send the rest of a pipeline. */
const LATENCY_MS = 25
/** A pause that is longer than the answer to the last statement. */
const IDLE_MS = 3 * LATENCY_MS
const PORTS = { postgres: 5432, mysql: 3306 }

/**
 * Counts the round trips of one request at a time, with rate limits. Returns the fewest of each kind: the server also
 * writes statistics and reads settings in intervals. `settings`: further ones, as variables. `enough`: stops measuring
 * a kind when a request needs no more than this.
 */
export async function countRoundTrips(
  engine: 'postgres' | 'mysql',
  settings: Record<string, string> = {},
  enough?: RoundTrips,
): Promise<RoundTrips> {
  const database = await makeDatabase(engine)
  const { url } = database.options as { url: string }
  const { hostname, port, host } = new URL(url)
  const proxy = await startRoundTripProxy(hostname, Number(port) || PORTS[engine], LATENCY_MS)
  const env = {
    ...database.env,
    [`MAYFLY_${engine}_URL`.toUpperCase()]: url.replace(host, `127.0.0.1:${proxy.port}`),
    MAYFLY_LOG: 'warn',
    MAYFLY_LIMITS: '',
    MAYFLY_LIMIT_FACTOR: '1000',
    ...settings,
  }
  const server = await startServer({ env })
  try {
    return await measure(`http://127.0.0.1:${server.port}/api/v1`, proxy, enough)
  } finally {
    await server.stop()
    await proxy.close()
    await database.drop()
  }
}

interface Created {
  id: string
  access: string
}

async function measure(api: string, proxy: RoundTripProxy, enough?: RoundTrips): Promise<RoundTrips> {
  const secrets: Created[] = []
  const create = async (headers: Record<string, string> = {}) => {
    const { body } = await encryptSecret({ text: encodeText('x'.repeat(SIZE)), ttl: 3600 })
    return async () => {
      const { id } = (await post(`${api}/secret`, body, headers)) as Created
      secrets.push({ id, access: body.access as string })
    }
  }
  const view = async () => {
    if (secrets.length === 0) await (await create())()
    const { id, access } = secrets.pop() as Created
    return () => post(`${api}/secret/${id}`, { access, claim: newClaim() })
  }
  const missing = async () => () => post(`${api}/secret/${newClaim()}`, { claim: newClaim() }, {}, 404)
  return {
    create: await fewestOf(proxy, enough?.create, () => create()),
    createWithKey: await fewestOf(proxy, enough?.createWithKey, () => create({ 'Idempotency-Key': newClaim() })),
    view: await fewestOf(proxy, enough?.view, view),
    missing: await fewestOf(proxy, enough?.missing, missing),
  }
}

/** `prepare` returns the request, which is measured alone. */
async function fewestOf(
  proxy: RoundTripProxy,
  enough = 0,
  prepare: () => Promise<() => Promise<unknown>>,
): Promise<number> {
  for (let number = 0; number < WARM_UP; number++) await (await prepare())()
  let fewest = Number.POSITIVE_INFINITY
  for (let number = 0; number < MEASURED && fewest > enough; number++) {
    const send = await prepare()
    const before = await countWhenIdle(proxy)
    await send()
    fewest = Math.min(fewest, proxy.count() - before)
  }
  return fewest
}

/** Waits until the audit and other work of earlier requests is done, so that its round trips are not counted. */
async function countWhenIdle(proxy: RoundTripProxy): Promise<number> {
  const count = proxy.count()
  await setTimeout(IDLE_MS)
  return proxy.count() === count ? count : countWhenIdle(proxy)
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}, status = 0): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok && response.status !== status)
    throw new Error(`${url} returned ${response.status}: ${await response.text()}`)
  return response.json()
}
