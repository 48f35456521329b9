/** The load generator: requests prepared beforehand, so many at a time over connections that stay open. */

import { seal } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { openWire, type Wire } from './wire.js'

export interface LoadJob {
  url: string
  /** Where the secrets are created that are viewed, when not at `url`. */
  prepareAt?: string
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
    const wires = openWires(job.url, concurrency)
    const round = async (count: number) => drive(wires, await prepare(job, sealed, count))
    await round(Math.ceil(requests / 2))
    const rounds: Round[] = []
    while (rounds.length < job.rounds) rounds.push(await round(requests))
    levels.push(rounds)
    for (const wire of wires) wire.close()
  }
  return levels
}

const openWires = (url: string, count: number): Wire[] => Array.from({ length: count }, () => openWire(url))

async function drive(wires: Wire[], requests: Request[]): Promise<Round> {
  const latencies: number[] = []
  const started = performance.now()
  await eachOn(wires, requests, async (wire, { path, body }) => {
    const sent = performance.now()
    await wire.post(path, body)
    latencies.push(performance.now() - sent)
  })
  return { perSecond: (requests.length / (performance.now() - started)) * 1000, latencies }
}

/** Each item on whichever wire is free. */
async function eachOn<T>(wires: Wire[], items: T[], work: (wire: Wire, item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const lane = async (wire: Wire) => {
    for (const item of waiting) await work(wire, item)
  }
  await Promise.all(wires.map(lane))
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
async function prepare({ url, prepareAt = url, what }: LoadJob, sealed: Sealed[], count: number): Promise<Request[]> {
  const view = (access: string) => JSON.stringify({ access, claim: newClaim() })
  const texts = Array.from({ length: count }, (_, number) => sealed[number % DISTINCT] as Sealed)
  if (what === 'create') return texts.map(({ body }) => ({ path: '/api/v1/secret', body }))
  if (what === 'bare-create') return texts.map(({ body }) => ({ path: `/${ANSWER_BYTES}`, body }))
  if (what === 'bare-view') {
    const path = (text: string) => `/${ANSWER_BYTES + JSON.stringify(text).length}`
    return texts.map(({ text, access }) => ({ path: path(text), body: view(access) }))
  }
  const wires = openWires(prepareAt, DISTINCT)
  const requests: Request[] = []
  await eachOn(wires, texts, async (wire, { body, access }) => {
    const { id } = JSON.parse(await wire.post('/api/v1/secret', body))
    requests.push({ path: `/api/v1/secret/${id}`, body: view(access) })
  })
  for (const wire of wires) wire.close()
  return requests
}
