/** The load generator: requests prepared beforehand, so many at a time over connections that stay open. */
import { Agent, request } from 'node:http'
import { encodeText } from '#shared/envelope'
import { newClaim } from '#shared/keys'
import { seal } from '#shared/sealing'

export interface LoadJob {
  url: string
  /** `bare-`: the same bytes both ways, asked of a server that does nothing with them. */
  what: 'create' | 'view' | 'bare-create' | 'bare-view'
  /** Of the text before it is sealed. */
  bytes: number
  /** One after the other, on the same server. */
  levels: Level[]
  rounds: number
}

/** How many requests at once, and how many in all in one round. */
export interface Level {
  concurrency: number
  requests: number
}

/** One round. Latencies in ms. */
export interface Round {
  perSecond: number
  latencies: number[]
}

/** What a client sends for one sealed secret. */
interface Sealed {
  body: string
  text: string
  access: string
}

interface Request {
  path: string
  body: string
}

/** Sealed texts differ, but need not be as many as there are requests: the server makes the ids. */
const DISTINCT = 32
/** Of the JSON of a created and around the text of a viewed secret, about. */
const ANSWER_BYTES = 280

/** Rounds of each level, after a warm-up of the same kind that is thrown away. */
export async function load(job: LoadJob): Promise<Round[][]> {
  const sealed = await sealAll(job.bytes)
  const levels: Round[][] = []
  for (const { concurrency, requests } of job.levels) {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
    const round = async (count: number) => drive(agent, job.url, concurrency, await prepare(agent, job, sealed, count))
    await round(Math.ceil(requests / 2))
    const rounds: Round[] = []
    while (rounds.length < job.rounds) rounds.push(await round(requests))
    levels.push(rounds)
    agent.destroy()
  }
  return levels
}

async function drive(agent: Agent, url: string, concurrency: number, requests: Request[]): Promise<Round> {
  const latencies: number[] = []
  const waiting = requests.values()
  const started = performance.now()
  const lane = async () => {
    for (const each of waiting) {
      const sent = performance.now()
      await post(agent, url, each)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return { perSecond: (requests.length / (performance.now() - started)) * 1000, latencies }
}

function sealAll(bytes: number): Promise<Sealed[]> {
  const text = encodeText('x'.repeat(bytes))
  const one = async () => {
    const { body } = await seal({ text, ttl: 3600 })
    return { body: JSON.stringify(body), text: body.text, access: body.access as string }
  }
  return Promise.all(Array.from({ length: DISTINCT }, one))
}

/** The requests of one round. For views it creates the secrets first, which is not measured. */
function prepare(agent: Agent, { url, what }: LoadJob, sealed: Sealed[], count: number): Promise<Request[]> {
  const view = (access: string) => JSON.stringify({ access, claim: newClaim() })
  const makers: Record<LoadJob['what'], (of: Sealed) => Request | Promise<Request>> = {
    create: ({ body }) => ({ path: '/api/v1/secret', body }),
    view: async ({ body, access }) => {
      const { id } = JSON.parse(await post(agent, url, { path: '/api/v1/secret', body }))
      return { path: `/api/v1/secret/${id}`, body: view(access) }
    },
    'bare-create': ({ body }) => ({ path: `/${ANSWER_BYTES}`, body }),
    'bare-view': ({ text, access }) => ({ path: `/${ANSWER_BYTES + JSON.stringify(text).length}`, body: view(access) }),
  }
  const make = makers[what]
  return Promise.all(Array.from({ length: count }, (_, number) => make(sealed[number % DISTINCT] as Sealed)))
}

/** Resolves with the body. Rejects unless the status is a success. */
function post(agent: Agent, url: string, { path, body }: Request): Promise<string> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString()
        if ((response.statusCode ?? 500) < 300) resolve(answer)
        else reject(new Error(`${path} answered ${response.statusCode}: ${answer}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
