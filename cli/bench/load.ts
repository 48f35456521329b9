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
  concurrency: number
  requests: number
  rounds: number
}

/** One round. Latencies in ms. */
export interface Round {
  perSecond: number
  latencies: number[]
}

interface Request {
  path: string
  body: string
}

/** Sealed texts differ, but need not be as many as there are requests: the server makes the ids. */
const DISTINCT = 32
/** Of the JSON of a created and around the text of a viewed secret, about. */
const ANSWER_BYTES = 280

/** Rounds after a warm-up of the same kind that is thrown away. */
export async function load(job: LoadJob): Promise<Round[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.concurrency })
  const rounds: Round[] = []
  await drive(agent, job, await prepare(agent, job, Math.ceil(job.requests / 2)))
  for (let round = 0; round < job.rounds; round++) {
    rounds.push(await drive(agent, job, await prepare(agent, job, job.requests)))
  }
  agent.destroy()
  return rounds
}

async function drive(agent: Agent, { url, concurrency }: LoadJob, requests: Request[]): Promise<Round> {
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

/** Seals, and for views also creates: none of it is measured. */
async function prepare(agent: Agent, { url, what, bytes }: LoadJob, count: number): Promise<Request[]> {
  const text = encodeText('x'.repeat(bytes))
  const sealed = await Promise.all(Array.from({ length: DISTINCT }, () => seal({ text, ttl: 3600 })))
  const bodies = sealed.map(({ body }) => ({ json: JSON.stringify(body), text: body.text, access: body.access }))
  const each = (make: (body: (typeof bodies)[number]) => Request | Promise<Request>) =>
    Promise.all(
      Array.from({ length: count }, (_, number) => make(bodies[number % DISTINCT] as (typeof bodies)[number])),
    )
  const view = (access: string | undefined) => JSON.stringify({ access, claim: newClaim() })
  switch (what) {
    case 'create':
      return each(({ json }) => ({ path: '/api/v1/secret', body: json }))
    case 'bare-create':
      return each(({ json }) => ({ path: `/${ANSWER_BYTES}`, body: json }))
    case 'bare-view':
      return each((body) => ({ path: `/${ANSWER_BYTES + JSON.stringify(body.text).length}`, body: view(body.access) }))
    case 'view':
      return each(async ({ json, access }) => {
        const { id } = JSON.parse(await post(agent, url, { path: '/api/v1/secret', body: json }))
        return { path: `/api/v1/secret/${id}`, body: view(access) }
      })
  }
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
