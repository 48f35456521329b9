/** Keys, bytes and bodies for the contract of a file store. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../contracts/file-store.js'

export const MIB = 2 ** 20
const CHUNK = 64 * 1024

/** A random key. */
export const aKey = (): string => randomBytes(16).toString('hex')

/** A stream of the bytes in chunks, like a request body. */
export const bodyOf = (bytes: Buffer): Readable => Readable.from(chunksOf(bytes), { objectMode: false })

/** `size` bytes that are generated while they are read. */
export const endlessBody = (size: number): Readable => Readable.from(repeated(size), { objectMode: false })

/** The bytes, followed by an error instead of the end. */
export const failingBody = (bytes: Buffer, failure: Error): Readable =>
  Readable.from(failing(bytes, failure), { objectMode: false })

export const put = (files: FileStore, key: string, bytes: Buffer): Promise<void> =>
  files.put(key, bodyOf(bytes), bytes.length)

export const contentOf = async (files: FileStore, key: string): Promise<Buffer> => buffer(await files.get(key))

/** Keys in the store, sorted. */
export async function keysOf(files: FileStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of files.list()) keys.push(key)
  return keys.sort()
}

/** Runs `work` for each item, a few at a time. */
export async function forEach<T>(items: T[], work: (item: T) => Promise<unknown>, lanes = 16): Promise<void> {
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

function* repeated(size: number) {
  for (let left = size; left > 0; left -= CHUNK) yield Buffer.alloc(Math.min(CHUNK, left), 'é')
}

async function* failing(bytes: Buffer, failure: Error) {
  yield* chunksOf(bytes)
  throw failure
}
