/** The requests of the load generator, as the page sends them. */
import { randomBytes } from 'node:crypto'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { type Connection, formatRequest, openConnection } from './http-client.js'

/** Expected status of each kind of request. `hasSize`: it transfers a secret of a given size. */
export const REQUESTS = {
  create: { status: 201, hasSize: true },
  /** With an idempotency key, as the page and the command line create secrets. */
  'create with key': { status: 201, hasSize: true },
  view: { status: 200, hasSize: true },
  'refused create': { status: 400, hasSize: true },
  '404 view': { status: 404, hasSize: false },
  settings: { status: 200, hasSize: false },
  page: { status: 200, hasSize: false },
}

export type RequestKind = keyof typeof REQUESTS

export const REQUEST_KINDS = Object.keys(REQUESTS) as RequestKind[]

/** A sealed secret in two parts: the access proof belongs between them. */
export interface SealedBody {
  before: string
  after: string
  /** Of the request body. */
  bytes: number
}

/** The API limits nothing by the ciphertext, so a few distinct texts are as good as one for each request. */
const DISTINCT_TEXTS = 16
/** Connections that create the secrets of views. */
const PREPARING_CONNECTIONS = 32

/** Seals texts of this many bytes. */
export async function sealBodies(textBytes: number): Promise<SealedBody[]> {
  const text = encodeText('x'.repeat(textBytes))
  const sealOne = async () => {
    const { body } = await encryptSecret({ text, ttl: 3600 })
    const json = JSON.stringify(body)
    const [before = '', after = ''] = json.split(body.access as string)
    return { before, after, bytes: json.length }
  }
  return Promise.all(Array.from({ length: DISTINCT_TEXTS }, sealOne))
}

export interface RequestSource {
  kind: RequestKind
  url: string
  bodies: SealedBody[]
  /** Where the secrets of views are created. */
  createUrl: string
}

/** Returns a function that formats the next of `count` requests. The secrets of views are created before it returns. */
export async function prepareRequests(source: RequestSource, count: number): Promise<() => string> {
  const { kind, url, bodies } = source
  if (kind === 'view') {
    const views = await createSecrets(source, count)
    return () => viewRequest(url, views.pop() as Viewable)
  }
  if (kind === '404 view') return () => viewRequest(url, { id: newClaim(), access: newProof() })
  if (kind === 'settings') return constant(formatRequest(url, { method: 'GET', path: '/api/v1/settings' }))
  if (kind === 'page') return constant(formatRequest(url, { method: 'GET', path: '/' }))
  return formatCreates(url, kind, bodies)
}

interface Viewable {
  id: string
  access: string
}

function viewRequest(url: string, { id, access }: Viewable): string {
  const body = JSON.stringify({ access, claim: newClaim() })
  return formatRequest(url, { method: 'POST', path: `/api/v1/secret/${id}`, body })
}

/** Each request has its own access proof. The proof of a refused create is too short. */
function formatCreates(url: string, kind: RequestKind, bodies: SealedBody[]): () => string {
  let next = 0
  return () => {
    const body = bodies[next++ % bodies.length] as SealedBody
    const access = kind === 'refused create' ? newClaim() : newProof()
    return createRequest(url, body, access, kind === 'create with key' ? `idempotency-key: ${newClaim()}\r\n` : '')
  }
}

const createRequest = (url: string, { before, after }: SealedBody, access: string, headers = '') =>
  formatRequest(url, { method: 'POST', path: '/api/v1/secret', body: before + access + after, headers })

const constant = (request: string) => () => request
const newProof = () => randomBytes(32).toString('base64url')
/** Also the form of an id and of an idempotency key. */
const newClaim = () => randomBytes(16).toString('base64url')

async function createSecrets({ createUrl, bodies }: RequestSource, count: number): Promise<Viewable[]> {
  const created: Viewable[] = []
  let started = 0
  const lane = async (connection: Connection) => {
    while (started < count) {
      const body = bodies[started++ % bodies.length] as SealedBody
      const access = newProof()
      const response = await connection.send(createRequest(createUrl, body, access))
      if (response.status !== 201) throw new Error(`create returned ${response.status}: ${response.body}`)
      created.push({ id: JSON.parse(response.body).id, access })
    }
    connection.close()
  }
  const connections = Array.from({ length: PREPARING_CONNECTIONS }, () => openConnection(createUrl))
  await Promise.all(connections.map(lane))
  return created
}
