/**
 * Tags of the submissions that were opened on this machine, by request, to notice a repeated submission. A file
 * contains neither a key nor the id of the request or of a submission: without the collect link it is of no use.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '#core/lib/create-folder'
import { checkJson, type JsonSchemaOf } from '#shared/check-json'
import type { EpochMs } from '#shared/epoch-ms'
import { toServerKey } from '../client/credentials.js'
import { getStateBase, getStateFolder, writeUserFile } from '../client/user-files.js'
import type { Io } from '../output/io.js'

interface StoredTags {
  /** When the request ends. */
  endsAt: EpochMs
  /** Hash of the id of the submission by tag. */
  opened: Record<string, string>
}

const StoredTags: JsonSchemaOf<StoredTags> = {
  type: 'object',
  properties: { endsAt: { type: 'number' }, opened: { type: 'object', additionalProperties: { type: 'string' } } },
}

interface OpenedSubmission {
  server: string
  requestId: string
  /** When the request ends. */
  endsAt: EpochMs
  id: string
  tag: string
}

/**
 * Remembers a submission, and returns whether another one with the same content and tag was opened before. Without a
 * writable folder nothing is remembered.
 */
export async function rememberSubmission(submission: OpenedSubmission, io: Io): Promise<boolean> {
  const folder = getStateFolder('submissions', io)
  // A home folder that does not exist is not created: it counts as none.
  if (folder === null || !existsSync(getStateBase(io) ?? '')) return false
  await removeEnded(folder)
  const { server, requestId, endsAt, id, tag } = submission
  const path = join(folder, `${shorten(`${toServerKey(server)}\n${requestId}`)}.json`)
  const opened = (await readTags(path))?.opened ?? {}
  const first = opened[tag]
  if (first !== undefined) return first !== shorten(id)
  try {
    await createFolder(folder)
    await writeUserFile(path, { endsAt, opened: { ...opened, [tag]: shorten(id) } } satisfies StoredTags)
  } catch {
    // Only the note about a repetition is lost.
  }
  return false
}

async function removeEnded(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const stored = await readTags(path)
    if (stored === null || stored.endsAt <= Date.now()) await rm(path, { force: true }).catch(() => {})
  }
}

async function readTags(path: string): Promise<StoredTags | null> {
  try {
    return checkJson(StoredTags, JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

/** Cannot be turned back into the text. */
const shorten = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
