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

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Bytes go as they are, anything else as JSON. */
  body?: unknown
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
    /** null when the answer is longer than `maxBytes`, of which no more is read. */
    async octets(call: Call, maxBytes: number): Promise<Uint8Array | null> {
      return (await answerTo(call, (response) => bounded(response, maxBytes)))[1]
    },
  }
}

function written({ method, headers: more, body }: Call, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { method, headers: { ...headers, ...more } }
  const isBytes = body instanceof Uint8Array
  const type = { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }
  const content = isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body)
  return { method, headers: { ...headers, ...more, ...type }, body: content }
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

async function bounded(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(maxBytes)
  const reader = response.body?.getReader()
  let at = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    if (at + next.value.length > maxBytes) {
      await reader?.cancel()
      return null
    }
    bytes.set(next.value, at)
    at += next.value.length
  }
  return bytes.subarray(0, at)
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
