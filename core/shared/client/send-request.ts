/** Sends one request over fetch and maps failures to errors. */
import type { ApiError as ApiErrorBody } from '../api/index.js'
import { checkJson, type JsonSchemaOf } from '../check-json.js'
import { ApiError as ApiErrorSchema } from '../response-schemas/common-responses.js'
import { limitResponses } from './response-limit.js'

/** The part of a `Response` that clients use. */
export interface HttpResponse {
  ok: boolean
  status: number
  statusText: string
  headers: { get(name: string): string | null }
  body: HttpBody | null
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

interface HttpBody {
  getReader(): { read(): Promise<{ done?: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> }
  cancel(): Promise<void>
}

/** The part of `fetch` that clients use. */
export type HttpFetch = (url: string, request: HttpRequestInit) => Promise<HttpResponse>

export type HttpRequestInit = Omit<RequestInit, 'headers'> & { headers: Record<string, string> }

export interface RequestOptions {
  /** URL of the server, without `/api`. Empty: the origin of the page. */
  server: string
  /** Default: the `fetch` of the platform, with responses of limited size. */
  fetch?: HttpFetch
  /** Headers of every request, such as `Authorization`. */
  headers?: Record<string, string>
  /** Time limit of a request, in ms. */
  timeoutMs?: number
}

/** A stream as request body. Only Node.js can send one; browsers need all bytes. */
export interface SizedStream {
  stream: ReadableStream<Uint8Array>
  /** Exact number of bytes. */
  length: number
}

/** In browsers a Blob is faster than a Uint8Array, which the page copies several times. */
export type UploadBody = Uint8Array | Blob | SizedStream

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  bytes?: UploadBody
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Overrides the time limit of the client, in ms. */
  timeoutMs?: number
}

/** Sends a request and returns the checked response; without a schema, nothing is returned. */
export interface SendJson {
  <T>(request: ApiRequest & { response: JsonSchemaOf<T> }): Promise<T>
  (request: ApiRequest): Promise<void>
}

/** An error response of the server. `code` is stable, see core/lib/errors.ts. */
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

/** No response: the server was unreachable, or the connection broke. */
export class NetworkError extends Error {
  override name = 'NetworkError'
}

/** A response with status 2xx that is not JSON, such as the page of a captive portal. */
export class BadResponseError extends NetworkError {}

const limitedFetch = limitResponses((input, init) => fetch(input, init))

/**
 * Both functions throw ApiError or NetworkError, or the reason of the signal if the caller aborted. `json` also throws
 * InvalidResponseError.
 */
export function createRequest({
  server,
  fetch: fetchImpl = limitedFetch,
  headers = {},
  timeoutMs = 30_000,
}: RequestOptions) {
  const base = `${server.replace(/\/+$/, '')}/api/v1`

  async function send<T>(
    request: ApiRequest,
    read: (response: HttpResponse) => Promise<T>,
  ): Promise<[HttpResponse, T]> {
    const { signal, end } = withDeadline(request.timeoutMs ?? timeoutMs, request.signal)
    let response: HttpResponse
    let failure: string
    try {
      response = await fetchImpl(base + request.path, { ...toInit(request, headers), signal })
      if (response.ok) return [response, await read(response)]
      failure = await response.text()
    } catch (cause) {
      request.signal?.throwIfAborted()
      throw new NetworkError('the server could not be reached', { cause })
    } finally {
      end()
    }
    throw new ApiError(errorBody(failure, response))
  }

  async function json<T>(request: ApiRequest & { response?: JsonSchemaOf<T> }): Promise<T | undefined> {
    const [response, text] = await send(request, (response) => response.text())
    return request.response && checkJson(request.response, parse(text, response))
  }

  return {
    json: json as SendJson,
    /**
     * Reads the response into `buffer` and returns the filled slice. null: the response is larger; the rest is not
     * read.
     */
    async bytes(request: ApiRequest, buffer: Uint8Array): Promise<Uint8Array | null> {
      return (await send(request, (response) => readInto(buffer, response)))[1]
    },
  }
}

function toInit({ method, headers: more, body, bytes }: ApiRequest, headers: Record<string, string>): HttpRequestInit {
  const all = { ...headers, ...more }
  if (bytes) return { method, ...byteBody(bytes, { ...all, 'content-type': 'application/octet-stream' }) }
  if (body === undefined) return { method, headers: all }
  return { method, headers: { ...all, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function byteBody(bytes: UploadBody, headers: Record<string, string>): HttpRequestInit & { duplex?: 'half' } {
  if (bytes instanceof Uint8Array || bytes instanceof Blob)
    return { headers, body: bytes as Uint8Array<ArrayBuffer> | Blob }
  return { headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes.stream, duplex: 'half' }
}

/** Replaces AbortSignal.any, which browsers of 2023 lack. */
function withDeadline(ms: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('no response in time', 'TimeoutError')), ms)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const end = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, end }
}

async function readInto(buffer: Uint8Array, response: HttpResponse): Promise<Uint8Array | null> {
  const reader = response.body?.getReader()
  let at = 0
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    if (at + next.value.length > buffer.length) {
      await reader?.cancel()
      return null
    }
    buffer.set(next.value, at)
    at += next.value.length
  }
  return buffer.subarray(0, at)
}

function parse(text: string, response: HttpResponse): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BadResponseError(`the response (status ${response.status}) did not come from a Mayfly server`, { cause })
  }
}

/**
 * The response may be JSON without a code, or an HTML page of a proxy. Without a message, `message` equals `error`: the
 * reason phrase of the status.
 */
function errorBody(text: string, response: HttpResponse): ApiErrorBody {
  const { status, statusText, headers } = response
  const reason = statusText || `status ${status}`
  const seconds = headers.get('retry-after') ?? ''
  const body = {
    statusCode: status,
    error: reason,
    code: `http.${status}`,
    message: reason,
    ...(/^\d{1,6}$/.test(seconds) && { retryAfter: Number(seconds) }),
  }
  try {
    const parsed = { ...body, ...JSON.parse(text) }
    const checked = checkJson(ApiErrorSchema, { ...parsed, statusCode: status, error: parsed.error ?? reason })
    return checked.message === '' ? { ...checked, message: reason } : checked
  } catch {
    return body
  }
}
