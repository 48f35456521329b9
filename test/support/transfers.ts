/** A file of several parts for tests of interrupted uploads and downloads. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from './run-cli.js'

/** Size of the file in bytes. The last part is short. */
export const FILE_BYTES = 26_000_000
/** Parts of the file. */
export const PARTS = 4
/** Parts that are sent at the same time. An interruption repeats each of them at most once. */
export const IN_FLIGHT = 3
/** Settings of a server that accepts the file several times. */
export const TRANSFER_SETTINGS = {
  MAYFLY_VISITOR_BYTES_PER_DAY: '10000000000',
  MAYFLY_MAX_FILE_BYTES: '1000000000',
}

export interface TransferFile {
  folder: string
  path: string
  sha256: string
  /** Removes the folder. */
  remove(): Promise<void>
}

export async function createTransferFile(): Promise<TransferFile> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-transfers-'))
  const path = join(folder, 'Übersicht.bin')
  await writeFile(path, randomBytes(FILE_BYTES))
  return { folder, path, sha256: await hashFile(path), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Returns the hex SHA-256 of a file. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Uploads a file without interruption and returns the link. */
export async function uploadFile(path: string, server: string): Promise<string> {
  const { stdout } = await run(['secret', 'create', '-f', path, '-s', server, '-q'])
  return stdout.toString().trim()
}

/** Downloads the only file of a link and returns its hex SHA-256. Throws when it fails. */
export async function hashDownload(link: string): Promise<string> {
  const { stdout, stderr, code } = await run(['secret', 'read', '-', '-q'], { stdin: link })
  if (code !== 0) throw new Error(`secret read failed with ${code}: ${stderr}`)
  return createHash('sha256').update(stdout).digest('hex')
}
