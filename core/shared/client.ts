/** The calls a client makes, over fetch. The same code in the web app, the command line and the tests. */
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
  OwnSecret,
  PublicSecret,
  PublicSettings,
  SecretExists,
  Stats,
  Verified,
  ViewedSecret,
  ViewSecret,
} from './api.js'
import { ApiError, type Call, createRequest, NetworkError, type Octets, type RequestOptions } from './request.js'

export { ApiError, NetworkError }

export interface ClientOptions extends RequestOptions {
  /** Waits between tries of a call that is safe to repeat, in ms. */
  retryMs?: number[]
}

export type Client = ReturnType<typeof createClient>

/** An upload, and what its creator proves itself with. */
export interface UploadId {
  id: string
  token: string
}

const RETRIES_MS = [500, 1500, 4000]
/** Answers that a server or proxy gives before it did anything: try again. */
const TRY_AGAIN = [502, 503, 504]
/** For a part of 8 MiB over a slow line. */
const PART_TIMEOUT_MS = 5 * 60_000
/** For cleaning up, which nobody wants to wait for. */
const DELETE_TIMEOUT_MS = 5000

export function createClient({ retryMs = RETRIES_MS, ...options }: ClientOptions) {
  const { json: once, octets } = createRequest(options)

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
    create: (body: CreateSecret, key: string, signal?: AbortSignal) =>
      retrying<CreatedSecret>({ method: 'POST', path: '/secret', body, headers: { 'idempotency-key': key }, signal }),
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
    stats: () => retrying<Stats>({ method: 'GET', path: '/stats' }),
    /** Whose token or session it is. */
    verify: () => retrying<Verified>({ method: 'GET', path: '/authentication/verify' }),
    /** Those of the caller, newest first. */
    ownSecrets: (page: { skip?: number; take?: number } = {}) =>
      retrying<OwnSecret[]>({ method: 'GET', path: `/secret${query(page)}` }),
    deleteToken: (id: string) => once<void>({ method: 'DELETE', path: '/account/tokens', body: { id } }),
    settings: () => retrying<PublicSettings>({ method: 'GET', path: '/settings' }),

    // Tried once each: upload.ts and download.ts know when it is worth to go on.
    createFile: (body: CreateFile, signal?: AbortSignal) =>
      once<CreatedFile>({ method: 'POST', path: '/files', body, signal }),
    /** `octets`: the sealed part. Sending a part again is fine. */
    putPart: (file: UploadId, index: number, octets: Octets, signal?: AbortSignal) =>
      once<void>({ ...about(file, `/${index}`), method: 'PUT', octets, signal, timeoutMs: PART_TIMEOUT_MS }),
    /** Which parts are stored. */
    fileParts: (file: UploadId, signal?: AbortSignal) => once<FileParts>({ ...about(file), method: 'GET', signal }),
    deleteFile: (file: UploadId) => once<void>({ ...about(file), method: 'DELETE', timeoutMs: DELETE_TIMEOUT_MS }),
    /** One part as it is stored, in `room`; null when there is not enough. */
    download: (body: Download, room: Uint8Array, signal?: AbortSignal) =>
      octets({ method: 'POST', path: '/download', body, signal, timeoutMs: PART_TIMEOUT_MS }, room),
  }
}

const about = ({ id, token }: UploadId, part = '') => ({
  path: `/files/${encodeURIComponent(id)}${part}`,
  headers: { authorization: `Upload ${token}` },
})

function mayTryAgain(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && TRY_AGAIN.includes(error.status))
}

function query(values: Record<string, number | undefined>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`
}
