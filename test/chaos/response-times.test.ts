/**
 * SEC-14. The time of a response does not tell whether a secret or an account exists. Takes hundreds of interleaved
 * samples of each case; the first case is the reference. A case fails when the Mann-Whitney test finds a significant
 * difference and the medians differ by more than a twentieth and by more than 0.3 ms. Reading a row that exists takes
 * about 0.1 ms; ids have 128 random bits, so there is no candidate whose existence could be tested.
 */
import { randomBytes } from 'node:crypto'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '#bench/statistics'
import { HASH_COST } from '#core/lib/password-hash'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { mannWhitney } from '#test/mann-whitney'
import { type TestApp, testApp } from '#test/test-app'

/** Of each case. A sign-in is mostly the hash of the password, whose time varies least. */
const SAMPLES = { view: 500, signIn: 150 }
const P_MIN = 0.001
const DIFFERENCE_MAX = 0.05
const DIFFERENCE_MAX_MS = 0.3
/** Of a run; noise of the machine passes, a difference of the program does not. */
const RUNS = 3

let database: TestDatabase
let app: TestApp
let server: Server
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  database = await makeDatabase('sqlite')
  app = await testApp(database.storage, { hashCost: HASH_COST })
  server = createServer(app.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  agent.destroy()
  server.closeAllConnections()
  server.close()
  await app.close()
  await database.drop()
})

interface Reply {
  status: number
  json: Record<string, never>
  ms: number
}

/** Sends a request and measures the time until the whole response has arrived. */
function post(path: string, body: object): Promise<Reply> {
  const { port } = server.address() as AddressInfo
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', host: 'secrets.example.org' }
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint()
    const options = { agent, port, host: '127.0.0.1', method: 'POST', path: `/api/v1${path}`, headers }
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const ms = Number(process.hrtime.bigint() - started) / 1e6
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()), ms })
      })
    })
    outgoing.on('error', reject).end(JSON.stringify(body))
  })
}

const proof = () => randomBytes(32).toString('base64url')
const claim = () => randomBytes(16).toString('base64url')

async function createSecret(): Promise<{ id: string; access: string }> {
  const { encryptSecret } = await import('#shared/crypto/encrypt-secret')
  const { body } = await encryptSecret({ text: randomBytes(300), ttl: 60 }, app.clock.now)
  const { json, status } = await post('/secret', body)
  expect(status).toBe(201)
  return { id: json.id ?? '', access: body.access as string }
}

type Case = () => Promise<Reply>

/** Samples of each case, in turns, after a tenth of them to warm up. */
async function measure(
  cases: Record<string, Case>,
  status: number,
  samples: number,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(cases).map((name) => [name, []]))
  for (let sample = -samples / 10; sample < samples; sample++) {
    for (const [name, send] of Object.entries(cases)) {
      const reply = await send()
      expect(reply.status, name).toBe(status)
      if (sample >= 0) times[name]?.push(reply.ms)
    }
  }
  return times
}

/** Cases that differ from the first one, each with its figures. */
function findDifferent(times: Record<string, number[]>): string[] {
  const [[, reference = []] = [], ...others] = Object.entries(times)
  return others.flatMap(([name, each]) => {
    const p = mannWhitney(reference, each)
    const ms = Math.abs(median(each) - median(reference))
    const difference = ms / median(reference)
    const isDifferent = p < P_MIN && difference > DIFFERENCE_MAX && ms > DIFFERENCE_MAX_MS
    return isDifferent ? [`${name}: p ${p.toExponential(1)}, median ${(difference * 100).toFixed(1)} % off`] : []
  })
}

/** Reports the cases that differ in every run. */
async function expectSameTime(cases: Record<string, Case>, status: number, samples: number): Promise<void> {
  let different: string[] = []
  for (let run = 0; run < RUNS; run++) {
    different = findDifferent(await measure(cases, status, samples))
    if (different.length === 0) return
  }
  expect(different).toEqual([])
}

test('SEC-14: a secret that is absent, expired, burned or asked for with a wrong proof takes the same time', async () => {
  const [expired, burned] = [await createSecret(), await createSecret()]
  await post(`/secret/${burned.id}/burn`, { access: burned.access })
  app.clock.now += 60_000
  const live = await createSecret()
  const view = (id: string, access: string) => () => post(`/secret/${id}`, { access, claim: claim() })
  await expectSameTime(
    {
      absent: view(claim(), live.access),
      'wrong proof': view(live.id, proof()),
      expired: view(expired.id, expired.access),
      burned: view(burned.id, burned.access),
    },
    404,
    SAMPLES.view,
  )
}, 600_000)

test('SEC-14: sign-in with a known and an unknown name takes the same time', async () => {
  const { username } = await app.signUp()
  const external = await app.signUp({ passwordHash: null })
  const signIn = (name: string) => () => post('/authentication/signin', { username: name, password: 'wrong ☃' })
  await expectSameTime(
    { known: signIn(username), unknown: signIn('unknown-name'), 'without a password': signIn(external.username) },
    401,
    SAMPLES.signIn,
  )
}, 1_800_000)
