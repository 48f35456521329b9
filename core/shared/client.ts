/** The calls a client makes, over fetch. The same code in the web app, the command line and the tests. */
import type {
  AckSecret,
  ApiError as ApiErrorBody,
  BurnedSecret,
  BurnSecret,
  CreatedSecret,
  CreateSecret,
  PublicSecret,
  PublicSettings,
  SecretExists,
  ViewedSecret,
  ViewSecret,
} from './api.js'

export interface ClientOptions {
  /** Address of the server, without `/api`. Empty: the page's own origin. */
  server: string
  fetch?: typeof fetch
  /** Headers of every call, such as `Authorization`. */
  headers?: Record<string, string>
  /** Until a call is given up, in ms. */
  timeoutMs?: number
  /** Waits between tries of a call that is safe to repeat, in ms. */
  retryMs?: number[]
}

/** The server answered with a failure. `code` is stable; see core/errors.ts. */
export class ApiError extends Error {
  override name = 'ApiError'
  constructor(readonly body: ApiErrorBody) {
    super(body.message)
  }
  get code(): string {
    return this.body.code
  }
  get status(): number {
    return this.body.statusCode
  }
}

/** No answer came: the server could not be reached, or the connection broke. */
export class NetworkError extends Error {
  override name = 'NetworkError'
}

export type Client = ReturnType<typeof createClient>

interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  headers?: Record<string, string>
}

const RETRIES_MS = [500, 1500, 4000]
/** Answers that a server or proxy gives before it did anything: try again. */
const TRY_AGAIN = [502, 503, 504]

export function createClient({
  server,
  fetch: fetchImpl = globalThis.fetch.bind(globalThis),
  headers = {},
  timeoutMs = 30_000,
  retryMs = RETRIES_MS,
}: ClientOptions) {
  const base = `${server.replace(/\/+$/, '')}/api/v1`

  async function once<T>({ method, path, body, headers: more }: Call): Promise<T> {
    let response: Response
    let text: string
    try {
      response = await fetchImpl(base + path, {
        method,
        headers: { ...headers, ...more, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      text = await response.text()
    } catch (cause) {
      throw new NetworkError('the server could not be reached', { cause })
    }
    if (response.ok) return (text === '' ? undefined : parse(text, response)) as T
    throw new ApiError(errorBody(text, response))
  }

  /** Only for calls that may arrive twice without harm: reads, and writes that carry a claim or an idempotency key. */
  async function retrying<T>(call: Call): Promise<T> {
    for (const wait of retryMs) {
      try {
        return await once<T>(call)
      } catch (error) {
        if (!mayTryAgain(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
    return once<T>(call)
  }

  const secret = (id: string) => `/secret/${encodeURIComponent(id)}`
  return {
    /** Creates a secret once, however often the connection breaks. `key`: a random value, the same for every retry by the caller. */
    create: (body: CreateSecret, key: string) =>
      retrying<CreatedSecret>({ method: 'POST', path: '/secret', body, headers: { 'idempotency-key': key } }),
    /** Looks without viewing. `access` for sealed secrets. */
    exist: (id: string, access?: string) =>
      retrying<SecretExists>({
        method: 'GET',
        path: `${secret(id)}/exist`,
        ...(access ? { headers: { 'mayfly-access': access } } : {}),
      }),
    /** Spends a view. Retried with the same claim, so a lost answer costs nothing. */
    view: (id: string, body: ViewSecret) => retrying<ViewedSecret>({ method: 'POST', path: secret(id), body }),
    /** Tells the server that the secret arrived, so that a used-up one is destroyed now. */
    ack: (id: string, body: AckSecret) => retrying<void>({ method: 'POST', path: `${secret(id)}/ack`, body }),
    burn: (id: string, body: BurnSecret) => once<BurnedSecret>({ method: 'POST', path: `${secret(id)}/burn`, body }),
    publicSecrets: ({ username, skip, take }: { username?: string; skip?: number; take?: number } = {}) =>
      retrying<PublicSecret[]>({
        method: 'GET',
        path: `/secret/public/${username === undefined ? '' : encodeURIComponent(username)}${query({ skip, take })}`,
      }),
    settings: () => retrying<PublicSettings>({ method: 'GET', path: '/settings' }),
  }
}

function mayTryAgain(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && TRY_AGAIN.includes(error.status))
}

function query(values: Record<string, number | undefined>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new NetworkError(`the answer (status ${response.status}) did not come from a Mayfly server`, { cause })
  }
}

/** A proxy in between may answer with a page of its own. */
function errorBody(text: string, response: Response): ApiErrorBody {
  try {
    const body = JSON.parse(text)
    if (typeof body.code === 'string') return body
  } catch {}
  const { status, statusText } = response
  return { statusCode: status, error: statusText, code: `http.${status}`, message: statusText || `status ${status}` }
}
