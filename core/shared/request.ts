/** One request over fetch, and what its answer or the lack of one means. */
import type { ApiError as ApiErrorBody } from './api.js'

export interface RequestOptions {
  /** Address of the server, without `/api`. Empty: the page's own origin. */
  server: string
  fetch?: typeof fetch
  /** Headers of every call, such as `Authorization`. */
  headers?: Record<string, string>
  /** Until a call is given up, in ms. */
  timeoutMs?: number
}

/** Bytes that are sent as they come. Only Node can do that; browsers want to have them all. */
export interface Flow {
  stream: ReadableStream<Uint8Array>
  /** Exact. */
  length: number
}

/** A blob lies with the browser, which reads it itself: a body of bytes is copied by the page, slowly and several times. */
export type Octets = Uint8Array | Blob | Flow

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as they are, instead of `body`. */
  octets?: Octets
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** When other than that of the client, in ms. */
  timeoutMs?: number
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

/** Both throw ApiError or NetworkError, or the signal's reason when the caller aborted. */
export function createRequest({
  server,
  fetch: fetchImpl = globalThis.fetch.bind(globalThis),
  headers = {},
  timeoutMs = 30_000,
}: RequestOptions) {
  const base = `${server.replace(/\/+$/, '')}/api/v1`

  async function answerTo<T>(call: Call, read: (response: Response) => Promise<T>): Promise<[Response, T]> {
    const { signal, end } = deadline(call.timeoutMs ?? timeoutMs, call.signal)
    let response: Response
    let failure: string
    try {
      response = await fetchImpl(base + call.path, { ...written(call, headers), signal })
      if (response.ok) return [response, await read(response)]
      failure = await response.text()
    } catch (cause) {
      call.signal?.throwIfAborted()
      throw new NetworkError('the server could not be reached', { cause })
    } finally {
      end()
    }
    throw new ApiError(errorBody(failure, response))
  }

  return {
    async json<T>(call: Call): Promise<T> {
      const [response, text] = await answerTo(call, (response) => response.text())
      return (text === '' ? undefined : parse(text, response)) as T
    },
    /** Fills `room` and answers what of it is filled; null when the answer is longer, of which no more is read. */
    async octets(call: Call, room: Uint8Array): Promise<Uint8Array | null> {
      return (await answerTo(call, (response) => filled(room, response)))[1]
    },
  }
}

function written({ method, headers: more, body, octets }: Call, headers: Record<string, string>): RequestInit {
  const all = { ...headers, ...more }
  if (octets) return { method, ...octetBody(octets, { ...all, 'content-type': 'application/octet-stream' }) }
  if (body === undefined) return { method, headers: all }
  return { method, headers: { ...all, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function octetBody(octets: Octets, headers: Record<string, string>): RequestInit & { duplex?: 'half' } {
  if (octets instanceof Uint8Array || octets instanceof Blob)
    return { headers, body: octets as Uint8Array<ArrayBuffer> | Blob }
  return { headers: { ...headers, 'content-length': String(octets.length) }, body: octets.stream, duplex: 'half' }
}

/** Not AbortSignal.any, which browsers of 2023 lack. */
function deadline(ms: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

async function filled(room: Uint8Array, response: Response): Promise<Uint8Array | null> {
  const reader = response.body?.getReader()
  let at = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    if (at + next.value.length > room.length) {
      await reader?.cancel()
      return null
    }
    room.set(next.value, at)
    at += next.value.length
  }
  return room.subarray(0, at)
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
