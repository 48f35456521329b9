/** Many links to one upload, created and opened through several server processes at once. */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { ApiError, type Client, createClient } from '#shared/client/client'
import { upload } from '#shared/client/upload'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { decryptPart, PART_SIZE } from '#shared/crypto/parts'
import type { RunningServer } from './start-server.js'

export interface ManyLinks {
  clients: Client[]
  /** The content of the file. */
  bytes: Buffer
  fileKey: string
  links: { id: string; access: string; burnToken: string }[]
}

const PARALLEL = 16

/** Calls `work` with 0 to `count` - 1, `PARALLEL` calls at a time. */
export async function forEachOf(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const runNext = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: PARALLEL }, runNext))
}

/** Uploads `size` random bytes once and creates `count` links, by turns on the servers. */
export async function createManyLinks(servers: RunningServer[], size: number, count: number): Promise<ManyLinks> {
  const clients = servers.map(({ url }) => createClient({ server: url, timeoutMs: 120_000 }))
  const clientOf = (index: number) => clients[index % clients.length] as Client
  const bytes = randomBytes(size)
  const source = { size, read: async (start: number, end: number) => bytes.subarray(start, end) }
  const sent = await upload(clientOf(0), source, { copies: count })
  const links: ManyLinks['links'] = []
  await forEachOf(count, async (index) => {
    const files = [{ ...sent, name: 'bïg ☃.iso', type: 'application/octet-stream' }]
    const { body } = await encryptSecret({ text: encodeText(`for ${index}`), files, ttl: 3600 })
    const { id, burnToken } = await clientOf(index).create(body, newClaim())
    links.push({ id, burnToken, access: body.access ?? '' })
  })
  return { clients, bytes, fileKey: sent.key, links }
}

/**
 * Opens a link with concurrent readers, by turns on the servers. Expects that one of them gets it, and returns the
 * ticket of its file.
 */
export async function raceReaders({ clients }: ManyLinks, { id, access }: ManyLinks['links'][0], readers: number) {
  const views = Array.from({ length: readers }, (_, reader) =>
    (clients[reader % clients.length] as Client).view(id, { access, claim: newClaim() }).catch((error) => {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }),
  )
  const opened = (await Promise.all(views)).filter((view) => view !== null)
  expect(opened).toHaveLength(1)
  return opened[0]?.files[0]?.key ?? expect.fail('no file')
}

/** Downloads the first part of a file and compares it. */
export async function expectFirstPart({ clients, bytes, fileKey }: ManyLinks, secretId: string, ticket: string) {
  const [client] = clients as [Client]
  const got = await client.download({ key: ticket, secretId, part: 0 }, new Uint8Array(9 * 2 ** 20))
  const plain = await decryptPart(
    new Uint8Array(Buffer.from(fileKey, 'base64url')),
    0,
    got as Uint8Array,
    Math.min(PART_SIZE, bytes.length),
  )
  expect(Buffer.compare(plain, bytes.subarray(0, plain.length))).toBe(0)
}
