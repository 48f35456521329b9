/** The file endpoints as a client uses them: upload in parts, attach to a secret, view, download. */
import { expect } from 'vitest'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { deriveKeys, newClaim } from '#shared/crypto/keys'
import { encryptedPartLength, PART_SIZE } from '#shared/crypto/parts'
import { parseFragment } from '#shared/link'
import type { Site } from './for-each-storage.js'

export const MAX_PART = encryptedPartLength(PART_SIZE)

export interface Upload {
  id: string
  token: string
}

export interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: the body of any response
  json: any
}

interface Request {
  body?: unknown
  /** Of an upload. */
  token?: string
  /** A body that is not JSON. */
  rawBytes?: Uint8Array
  /** Of a user who is signed in, for example. */
  headers?: Record<string, string>
}

/** Splits the content of a file into the bodies of its uploads. */
export const partsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / MAX_PART) }, (_, at) =>
    bytes.subarray(at * MAX_PART, (at + 1) * MAX_PART),
  )

export function fileCalls(site: Site) {
  const base = () => `http://127.0.0.1:${site.port}/api/v1`

  async function call(
    method: string,
    path: string,
    { body, token, rawBytes, headers = {} }: Request = {},
  ): Promise<Answer> {
    const response = await fetch(base() + path, {
      method,
      headers: {
        ...headers,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Upload ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : rawBytes ? { body: new Uint8Array(rawBytes) } : {}),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, bytes, json: isJson ? JSON.parse(`${bytes}`) : null }
  }

  async function begin(size: number): Promise<Upload> {
    const { status, json } = await call('POST', '/files', { body: { size, parts: Math.ceil(size / MAX_PART) } })
    expect(status).toBe(201)
    return { id: json.id, token: json.token }
  }

  async function upload(bytes: Buffer): Promise<Upload> {
    const begun = await begin(bytes.length)
    for (const [index, rawBytes] of partsOf(bytes).entries()) {
      const { status } = await call('PUT', `/files/${begun.id}/${index}`, { token: begun.token, rawBytes })
      expect(status).toBe(204)
    }
    return begun
  }

  /** Creates a sealed secret with these files. */
  async function share(files: Upload[], options: object = {}, headers: Record<string, string> = {}) {
    const text = new TextEncoder().encode('☃')
    const { fragment, body } = await encryptSecret({ text, ttl: 3600, ...options }, site.app.clock.now)
    const response = await call('POST', '/secret', { body: { ...body, files }, headers })
    const { access } = await deriveKeys(parseFragment(fragment))
    return { response, access, id: response.json.id as string }
  }

  const view = (id: string, access: string, claim = newClaim()) =>
    call('POST', `/secret/${id}`, { body: { access, claim } })

  const download = (key: string, secretId: string, part?: number) =>
    call('POST', '/download', { body: { key, secretId, ...(part === undefined ? {} : { part }) } })

  /** Keys of all stored blobs. */
  async function blobs(): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of site.app.files?.list() ?? []) keys.push(key)
    return keys
  }

  return { base, call, begin, upload, share, view, download, blobs }
}
