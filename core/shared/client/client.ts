/** HTTP client of the API over fetch, used by the web app, the CLI and the tests. */
import type {
  AckSecret,
  BurnSecret,
  CreateFile,
  CreateSecret,
  Download,
  LowerLimits,
  ViewSecret,
} from '../api/index.js'
import type { JsonSchemaOf } from '../check-json.js'
import { InvalidResponseError } from '../check-json.js'
import { Verified } from '../response-schemas/common-responses.js'
import { CreatedFile, FileParts } from '../response-schemas/files-responses.js'
import { PublicSettings } from '../response-schemas/instance-responses.js'
import {
  BurnedSecret,
  CreatedSecret,
  LoweredLimits,
  PublicSecrets,
  SecretExists,
  ViewedSecret,
} from '../response-schemas/secrets-responses.js'
import { sleep } from './retry.js'
import {
  ApiError,
  type ApiRequest,
  BadResponseError,
  createRequest,
  NetworkError,
  type RequestOptions,
  type SendJson,
  type UploadBody,
} from './send-request.js'

export { ApiError, BadResponseError, NetworkError }

export interface ClientOptions extends RequestOptions {
  /** Delays between retries of an idempotent request, in ms. */
  retryMs?: number[]
  /** Called before each retry of `retryMs`: the server may have processed the request. */
  onRetry?(): void
  /**
   * How long to retry beyond `retryMs`, in ms. Then requests that the server has not processed are repeated too:
   * requests that could not be sent, and requests beyond a rate limit.
   */
  retryForMs?: number
  /** Called before each wait of `retryForMs`. */
  onWait?(ms: number, error: ApiError | NetworkError): void
}

export type Client = ReturnType<typeof createClient>

/** Id and token of an upload. */
export interface UploadId {
  id: string
  token: string
}

const RETRY_DELAYS_MS = [500, 1500, 4000]
/** Statuses of a server or proxy that has not processed the request. */
const RETRYABLE = [502, 503, 504]
/** First and longest wait of `retryForMs`, in ms. */
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 5000
/** Enough for a part of 8 MiB over a slow connection. */
const PART_TIMEOUT_MS = 5 * 60_000
/** For deletes, which are best effort. */
const DELETE_TIMEOUT_MS = 5000

/** Statuses of a proxy that may have responded after the server processed the request. */
const PROXY_REFUSALS = ['http.403', 'http.408']
/** A full disk: the transaction was rolled back. */
const NO_SPACE = 507

/**
 * Whether the server may have processed a request that failed with this error: no response, an invalid response, a
 * response of a proxy, or an error of the server with an unknown outcome. Other errors are refusals.
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof NetworkError ||
  error instanceof InvalidResponseError ||
  (error instanceof ApiError &&
    (PROXY_REFUSALS.includes(error.code) || (error.status >= 500 && error.status !== NO_SPACE)))

/** `sendWithRetry`: for idempotent requests only, that is, reads, and writes with a claim or an idempotency key. */
export function createSend({ retryMs = RETRY_DELAYS_MS, onRetry, retryForMs = 0, onWait, ...options }: ClientOptions) {
  const { json, bytes } = createRequest(options)

  async function sendUntil<T>(
    request: ApiRequest & { response: JsonSchemaOf<T> },
    delaysMs: number[],
    isIdempotent: boolean,
  ): Promise<T> {
    const since = Date.now()
    for (let tries = 0; ; tries++) {
      try {
        return await json(request)
      } catch (error) {
        const delayMs = delaysMs[tries]
        if (delayMs !== undefined && isRetryable(error)) {
          onRetry?.()
          await sleep(delayMs, request)
          continue
        }
        const waitMs = isRepeatable(request) ? getWaitMs(error, tries, isIdempotent) : null
        if (waitMs === null || Date.now() - since + waitMs > retryForMs) throw error
        onWait?.(waitMs, error as ApiError | NetworkError)
        await sleep(waitMs, request)
      }
    }
  }

  return {
    sendOnce: json,
    send: (<T>(request: ApiRequest & { response: JsonSchemaOf<T> }) => sendUntil(request, [], false)) as SendJson,
    sendWithRetry: (<T>(request: ApiRequest & { response: JsonSchemaOf<T> }) =>
      sendUntil(request, retryMs, true)) as SendJson,
    bytes,
  }
}

/** How long to wait before the next try, in ms; null: a further try would be useless or wrong. */
function getWaitMs(error: unknown, tries: number, isIdempotent: boolean): number | null {
  if (error instanceof ApiError && error.status === 429)
    return Math.max(1, error.body.retryAfter ?? Number.POSITIVE_INFINITY) * 1000
  const isSafe = isIdempotent ? isRetryable(error) : isUnsent(error)
  return isSafe ? Math.min(RETRY_FIRST_MS * 2 ** tries, RETRY_MAX_MS) : null
}

export function createClient(options: ClientOptions) {
  const { send, sendOnce, sendWithRetry, bytes } = createSend(options)

  return {
    /** Of transfers, which have their own retries. */
    retryForMs: options.retryForMs,
    ...secretRequests(send, sendWithRetry),
    /** Returns the user of the token or session. */
    verify: () => sendWithRetry({ response: Verified, method: 'GET', path: '/authentication/verify' }),
    deleteToken: (id: string) => send({ method: 'DELETE', path: '/account/tokens', body: { id } }),
    settings: () => sendWithRetry({ response: PublicSettings, method: 'GET', path: '/settings' }),

    // Without retries: upload.ts and download.ts have their own.
    createFile: (body: CreateFile, signal?: AbortSignal) =>
      send({ response: CreatedFile, method: 'POST', path: '/files', body, signal }),
    /** `part`: encrypted. Idempotent. */
    putPart: (file: UploadId, index: number, part: UploadBody, signal?: AbortSignal) =>
      send({ ...toFile(file, `/${index}`), method: 'PUT', bytes: part, signal, timeoutMs: PART_TIMEOUT_MS }),
    /** Lists the indexes of the stored parts. */
    fileParts: (file: UploadId, signal?: AbortSignal) =>
      send({ response: FileParts, ...toFile(file), method: 'GET', signal }),
    deleteFile: (file: UploadId) => sendOnce({ ...toFile(file), method: 'DELETE', timeoutMs: DELETE_TIMEOUT_MS }),
    /** Reads one stored part into `buffer` and returns the filled slice. null: the part is larger than the buffer. */
    download: (body: Download, buffer: Uint8Array, signal?: AbortSignal) =>
      bytes({ method: 'POST', path: '/download', body, signal, timeoutMs: PART_TIMEOUT_MS }, buffer),
  }
}

const secretPath = (id: string) => `/secret/${encodeURIComponent(id)}`

const secretRequests = (send: SendJson, sendWithRetry: SendJson) => ({
  /**
   * Creates a secret once, also with retries. `key`: the idempotency key, a random value that the caller reuses when it
   * retries.
   */
  create: (body: CreateSecret, key: string, signal?: AbortSignal) =>
    sendWithRetry({
      response: CreatedSecret,
      method: 'POST',
      path: '/secret',
      body,
      headers: { 'idempotency-key': key },
      signal,
    }),
  /** Checks a secret without using up a view. `access`: for sealed secrets. */
  peek: (id: string, access?: string) =>
    sendWithRetry({
      response: SecretExists,
      method: 'GET',
      path: `${secretPath(id)}/exist`,
      ...(access ? { headers: { 'mayfly-access': access } } : {}),
    }),
  /** Uses up a view. A retry has the same claim, so it does not use up another view. */
  view: (id: string, body: ViewSecret) =>
    sendWithRetry({ response: ViewedSecret, method: 'POST', path: secretPath(id), body }),
  /** Confirms that the view arrived, so that the server deletes a used-up secret at once. */
  ack: (id: string, body: AckSecret) => sendWithRetry({ method: 'POST', path: `${secretPath(id)}/ack`, body }),
  burn: (id: string, body: BurnSecret) =>
    send({ response: BurnedSecret, method: 'POST', path: `${secretPath(id)}/burn`, body }),
  lowerLimits: (id: string, body: LowerLimits) =>
    send({ response: LoweredLimits, method: 'PUT', path: `${secretPath(id)}/limits`, body }),
  publicSecrets: ({ username, skip, take }: { username?: string; skip?: number; take?: number } = {}) =>
    sendWithRetry({
      response: PublicSecrets,
      method: 'GET',
      path: `/secret/public/${username === undefined ? '' : encodeURIComponent(username)}${query({ skip, take })}`,
    }),
})

const toFile = ({ id, token }: UploadId, part = '') => ({
  path: `/files/${encodeURIComponent(id)}${part}`,
  headers: { authorization: `Upload ${token}` },
})

/** False for a certificate that is not accepted: the next try gets the same certificate. */
function isRetryable(error: unknown): boolean {
  return error instanceof NetworkError
    ? !hasCode(error, NO_TRUST)
    : error instanceof ApiError && RETRYABLE.includes(error.status)
}

/** A stream is read once. */
const isRepeatable = ({ bytes }: ApiRequest): boolean =>
  !(bytes && 'stream' in bytes && typeof bytes.stream !== 'function')

/** True when no connection was made, so the server cannot have processed the request. */
export const isUnsent = (error: unknown): boolean => hasCode(error, NO_CONNECTION) || hasCode(error, NO_TRUST)

/** Codes of Node.js for errors before a connection exists, and for proxies that are not accepted. */
const NO_CONNECTION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN)|the proxy )/
/** For certificates that are not accepted, and ports that do not speak TLS. */
const NO_TRUST = /^(EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

/** Of the error or one of its causes. */
function hasCode(error: unknown, codes: RegExp): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  return (code !== undefined && codes.test(code)) || hasCode(error.cause, codes)
}

/** Returns the query string of a URL, with `?` unless no value is given. */
export function query(values: Record<string, number | string | undefined>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return pairs.length === 0
    ? ''
    : `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`).join('&')}`
}
