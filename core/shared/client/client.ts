/** HTTP client of the API over fetch, used by the web app, the CLI and the tests. */
import type {
  AckSecret,
  BurnedSecret,
  BurnSecret,
  CreatedFile,
  CreatedSecret,
  CreateFile,
  CreateSecret,
  Download,
  FileParts,
  LoweredLimits,
  LowerLimits,
  OwnSecret,
  PublicSecret,
  PublicSettings,
  SecretExists,
  Stats,
  Verified,
  ViewedSecret,
  ViewSecret,
} from '../api/index.js'
import {
  ApiError,
  type ApiRequest,
  BadResponseError,
  createRequest,
  NetworkError,
  type RequestOptions,
  type UploadBody,
} from './send-request.js'

export { ApiError, BadResponseError, NetworkError }

export interface ClientOptions extends RequestOptions {
  /** Delays between retries of an idempotent request, in ms. */
  retryMs?: number[]
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
/** Enough for a part of 8 MiB over a slow connection. */
const PART_TIMEOUT_MS = 5 * 60_000
/** For deletes, which are best effort. */
const DELETE_TIMEOUT_MS = 5000

/** `sendWithRetry`: for idempotent requests only, that is, reads, and writes with a claim or an idempotency key. */
export function createSend({ retryMs = RETRY_DELAYS_MS, ...options }: ClientOptions) {
  const { json: send, bytes } = createRequest(options)

  async function sendWithRetry<T>(request: ApiRequest): Promise<T> {
    for (const delay of retryMs) {
      try {
        return await send<T>(request)
      } catch (error) {
        if (!isRetryable(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, delay))
      }
    }
    return send<T>(request)
  }

  return { send, sendWithRetry, bytes }
}

export function createClient(options: ClientOptions) {
  const { send, sendWithRetry, bytes } = createSend(options)

  return {
    ...secretRequests(send, sendWithRetry),
    stats: () => sendWithRetry<Stats>({ method: 'GET', path: '/stats' }),
    /** Returns the user of the token or session. */
    verify: () => sendWithRetry<Verified>({ method: 'GET', path: '/authentication/verify' }),
    /** Lists the caller's secrets, newest first. */
    ownSecrets: (page: { skip?: number; take?: number } = {}) =>
      sendWithRetry<OwnSecret[]>({ method: 'GET', path: `/secret${query(page)}` }),
    deleteToken: (id: string) => send<void>({ method: 'DELETE', path: '/account/tokens', body: { id } }),
    settings: () => sendWithRetry<PublicSettings>({ method: 'GET', path: '/settings' }),

    // Without retries: upload.ts and download.ts have their own.
    createFile: (body: CreateFile, signal?: AbortSignal) =>
      send<CreatedFile>({ method: 'POST', path: '/files', body, signal }),
    /** `part`: encrypted. Idempotent. */
    putPart: (file: UploadId, index: number, part: UploadBody, signal?: AbortSignal) =>
      send<void>({ ...toFile(file, `/${index}`), method: 'PUT', bytes: part, signal, timeoutMs: PART_TIMEOUT_MS }),
    /** Lists the indexes of the stored parts. */
    fileParts: (file: UploadId, signal?: AbortSignal) => send<FileParts>({ ...toFile(file), method: 'GET', signal }),
    deleteFile: (file: UploadId) => send<void>({ ...toFile(file), method: 'DELETE', timeoutMs: DELETE_TIMEOUT_MS }),
    /** Reads one stored part into `buffer` and returns the filled slice. null: the part is larger than the buffer. */
    download: (body: Download, buffer: Uint8Array, signal?: AbortSignal) =>
      bytes({ method: 'POST', path: '/download', body, signal, timeoutMs: PART_TIMEOUT_MS }, buffer),
  }
}

type Send = ReturnType<typeof createRequest>['json']

const secretPath = (id: string) => `/secret/${encodeURIComponent(id)}`

const secretRequests = (send: Send, sendWithRetry: Send) => ({
  /** Creates a secret once, also with retries. `key`: the idempotency key, a random value that the caller reuses when it retries. */
  create: (body: CreateSecret, key: string, signal?: AbortSignal) =>
    sendWithRetry<CreatedSecret>({
      method: 'POST',
      path: '/secret',
      body,
      headers: { 'idempotency-key': key },
      signal,
    }),
  /** Checks a secret without using up a view. `access`: for sealed secrets. */
  peek: (id: string, access?: string) =>
    sendWithRetry<SecretExists>({
      method: 'GET',
      path: `${secretPath(id)}/exist`,
      ...(access ? { headers: { 'mayfly-access': access } } : {}),
    }),
  /** Uses up a view. A retry has the same claim, so it uses up no further one. */
  view: (id: string, body: ViewSecret) => sendWithRetry<ViewedSecret>({ method: 'POST', path: secretPath(id), body }),
  /** Confirms that the view arrived, so that the server deletes a used-up secret at once. */
  ack: (id: string, body: AckSecret) => sendWithRetry<void>({ method: 'POST', path: `${secretPath(id)}/ack`, body }),
  burn: (id: string, body: BurnSecret) => send<BurnedSecret>({ method: 'POST', path: `${secretPath(id)}/burn`, body }),
  lowerLimits: (id: string, body: LowerLimits) =>
    send<LoweredLimits>({ method: 'PUT', path: `${secretPath(id)}/limits`, body }),
  publicSecrets: ({ username, skip, take }: { username?: string; skip?: number; take?: number } = {}) =>
    sendWithRetry<PublicSecret[]>({
      method: 'GET',
      path: `/secret/public/${username === undefined ? '' : encodeURIComponent(username)}${query({ skip, take })}`,
    }),
})

const toFile = ({ id, token }: UploadId, part = '') => ({
  path: `/files/${encodeURIComponent(id)}${part}`,
  headers: { authorization: `Upload ${token}` },
})

function isRetryable(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && RETRYABLE.includes(error.status))
}

function query(values: Record<string, number | undefined>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`
}
