/**
 * Claims of unfinished reads. The server repeats a view for the same claim until it is acknowledged, so a claim is kept
 * in a file from before the view until the acknowledgement: the next attempt, also of another process, then gets the
 * same content and uses no further view. A file contains neither key nor password nor the id of the secret.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '#core/lib/create-folder'
import type { SecretExists } from '#shared/api'
import { checkJson, type JsonSchemaOf } from '#shared/check-json'
import { newClaim } from '#shared/crypto/keys'
import type { EpochMs } from '#shared/epoch-ms'
import { toServerKey } from '../client/credentials.js'
import { getStateBase, getStateFolder, writeUserFile } from '../client/user-files.js'
import { CliError } from '../lib/cli-error.js'
import { onExit } from '../lib/signals.js'
import { formatDuration } from '../output/duration.js'
import { describeError } from '../output/error-output.js'
import type { Io } from '../output/io.js'

interface StoredClaim {
  claim: string
  /** When the server may have forgotten the claim. */
  endsAt: EpochMs
  /** The process that uses the claim; null: none. */
  owner: string | null
  /** Result of a peek before the view. The server reports nothing about a secret without views left. */
  facts: Facts
}

type Facts = Omit<SecretExists, 'id'>

const StoredClaim: JsonSchemaOf<StoredClaim> = {
  type: 'object',
  properties: {
    claim: { type: 'string' },
    endsAt: { type: 'number' },
    owner: { type: ['string', 'null'] },
    facts: {
      type: 'object',
      properties: {
        kind: { enum: ['sealed', 'raw', 'public'] },
        maxViews: { type: ['number', 'null'] },
        passwordRequired: { type: 'boolean' },
        codeRequired: { type: 'boolean' },
        expiresAt: { type: 'number' },
        files: { type: 'number' },
      },
    },
  },
}

/** A claim that an earlier attempt left, taken over by this process. */
export interface UnfinishedRead {
  claim: string
  endsAt: number
  facts: Facts
  path: string
}

export interface ReadClaim {
  value: string
  /** True when an earlier attempt used the claim, so that the view may be counted already. */
  isRepeated: boolean
  /** Stores the claim; call it before the view. Without a writable folder the claim lives as long as the process. */
  keep(graceSeconds: number): Promise<void>
  /** Removes the claim, once the view is acknowledged. */
  release(): Promise<void>
  /** Says how to get the content again after a failure. */
  hint(): string
  /** Adds `hint` to an error that happened after the view was sent. */
  explain(error: unknown): unknown
}

/**
 * Takes over the claim of an unfinished read of the same secret; null without one. A claim that a running process uses
 * is left alone.
 */
export async function takeUnfinishedRead(server: string, id: string, io: Io): Promise<UnfinishedRead | null> {
  const folder = getClaimFolder(io)
  if (folder === null) return null
  const prefix = getFilePrefix(server, id)
  for (const name of await listClaimFiles(folder)) {
    const path = join(folder, name)
    const stored = await readClaim(path)
    if (stored === null || stored.endsAt <= Date.now()) await rm(path, { force: true }).catch(() => {})
    else if (name.startsWith(prefix) && !isRunning(stored.owner)) {
      const taken = join(folder, newFileName(prefix))
      // Two processes may try this at once: only one of them finds the file.
      if ((await rename(path, taken).catch(() => null)) === null) continue
      await writeUserFile(taken, { ...stored, owner: describeProcess() }).catch(() => {})
      onExit(io.cleanup, () => disown(taken))
      return { claim: stored.claim, endsAt: stored.endsAt, facts: stored.facts, path: taken }
    }
  }
  return null
}

/** Creates the claim of a read, or continues an unfinished one. `found`: as of the peek. */
export function createReadClaim(
  server: string,
  found: SecretExists,
  unfinished: UnfinishedRead | null,
  io: Io,
): ReadClaim {
  const claim = unfinished?.claim ?? newClaim()
  let endsAt = unfinished?.endsAt ?? 0
  let path = unfinished?.path ?? null
  const hint = () => {
    if (endsAt === 0) return 'this server repeats no views: ask the sender for a new link'
    if (path === null)
      return `${getClaimFolder(io) ?? 'the state folder'} is not writable, so this read cannot be repeated`
    if (endsAt <= Date.now()) return 'the server repeats it no longer: ask the sender for a new link'
    const left = formatDuration((endsAt - Date.now()) / 1000)
    return `run it again within ${left}: it gets the same content and uses no further view`
  }
  return {
    value: claim,
    isRepeated: unfinished !== null,
    async keep(graceSeconds) {
      if (unfinished !== null || graceSeconds === 0) return
      endsAt = Date.now() + graceSeconds * 1000
      const { kind, maxViews, passwordRequired, codeRequired, expiresAt, files } = found
      const facts = { kind, maxViews, passwordRequired, codeRequired, expiresAt, files }
      path = await storeClaim(getFilePrefix(server, found.id), { claim, endsAt, owner: describeProcess(), facts }, io)
    },
    async release() {
      if (path !== null) await rm(path, { force: true }).catch(() => {})
      path = null
    },
    hint,
    explain(error) {
      const { outcome, message, hint: first } = describeError(error)
      return new CliError(outcome, message, first ? `${first}; ${hint()}` : hint(), { cause: error })
    },
  }
}

/** Returns the path; null when it cannot be stored. */
async function storeClaim(prefix: string, stored: StoredClaim, io: Io): Promise<string | null> {
  const folder = getClaimFolder(io)
  // A home folder that does not exist is not created: it counts as none.
  if (folder === null || !existsSync(getStateBase(io) ?? '')) return null
  const path = join(folder, newFileName(prefix))
  try {
    await createFolder(folder)
    await writeUserFile(path, stored)
  } catch {
    return null
  }
  onExit(io.cleanup, () => disown(path))
  return path
}

/** Lets the next process use the claim. After a SIGKILL it finds out by itself. */
function disown(path: string): void {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8'))
    const temporary = `${path}.new`
    writeFileSync(temporary, JSON.stringify({ ...stored, owner: null }), { mode: 0o600 })
    renameSync(temporary, path)
  } catch {}
}

/** Temporary files have other endings. */
const listClaimFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))

async function readClaim(path: string): Promise<StoredClaim | null> {
  try {
    return checkJson(StoredClaim, JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

/** The id of a raw secret contains its key, which must not be stored in any form. */
const getFilePrefix = (server: string, id: string): string =>
  createHash('sha256')
    .update(`${toServerKey(server)}\n${id.split('~')[0]}`)
    .digest('hex')
    .slice(0, 32)

const newFileName = (prefix: string): string => `${prefix}.${randomBytes(4).toString('hex')}.json`

const getClaimFolder = (io: Io): string | null => getStateFolder('claims', io)

/** Process id and, where the system shows it, start time: ids are reused, and every container has a process 1. */
const describeProcess = (): string => `${process.pid} ${readStartTime(process.pid)}`

function isRunning(owner: string | null): boolean {
  if (owner === null) return false
  const [pid = '', started = ''] = owner.split(' ')
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return readStartTime(Number(pid)) === started
}

/** Clock ticks from the start of the system, see proc(5); `ended` for a zombie, and '' on systems without /proc. */
function readStartTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
