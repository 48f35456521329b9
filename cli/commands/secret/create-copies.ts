/** `mayfly secret create --copies` and `--to-file`: uploads once, and creates a secret for each name. */
import type { Client } from '#shared/client/client'
import type { DraftFile } from '#shared/crypto/encrypt-secret'
import { formatCsvLine } from '#shared/export/csv'
import { LABEL_MAX } from '../../client/secret-labels.js'
import type { OpenFile } from '../../files/open-file.js'
import type { Output } from '../../files/output-file.js'
import { withUploads } from '../../files/upload-files.js'
import { CliError } from '../../lib/cli-error.js'
import { describeError } from '../../output/error-output.js'
import { formatExpiry, formatTime, formatViews } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { printMasks } from '../../output/mask.js'
import type { ProgressMode } from '../../output/progress.js'
import { formatCount } from '../../output/sanitize.js'
import { warnAboutNotify } from '../../output/warn-about-notify.js'
import type { NewPassword } from '../../secrets/secret-password.js'
import type { LinkNames } from './link-names.js'
import { formatJson, formatLines, listSensitiveValues, type StoredSecret } from './print-created.js'

interface Flags {
  label?: string
  title?: string
  split?: true
  receipt?: true
  mask?: string
  json?: true
  progress: ProgressMode
}

export interface CopiesJob {
  names: LinkNames
  files: OpenFile[]
  client: Client
  chosen: NewPassword | null
  output: Output
  /** Output to a file is lost when it cannot be closed. */
  isFile: boolean
  /** Creates a secret with the uploaded files. */
  create(files: DraftFile[], signal: AbortSignal): Promise<StoredSecret>
}

export interface NamedSecret {
  /** For `secret list`. */
  label: string
  stored: StoredSecret
}

/** Requests in flight. More are not faster, because of the limit on creates. */
const PARALLEL = 4

/**
 * Writes a line for each secret, in the order of the names, and calls `keep` with all secrets whose links were written.
 * After a failure the links that were written stay valid: throws CliError with the outcome of the first failure. Links
 * that could not be written are burned.
 */
export async function createCopies(
  job: CopiesJob,
  flags: Flags,
  keep: (made: NamedSecret[]) => Promise<void>,
  io: Io,
): Promise<void> {
  const { names, client } = job
  const total = names.rows.length
  const made = new Map<number, StoredSecret>()
  const writer = createLineWriter(job, flags, io)
  const uploading = { mode: flags.progress, io, copies: total }
  const failure = await attempt(() =>
    withUploads(job.files, client, uploading, (files, signal) =>
      forEachIndex(total, async (index) => {
        const stored = await job.create(files, signal)
        made.set(index, stored)
        await writer.add(index, stored)
      }),
    ),
  )
  if (made.size === 0) throw failure
  const unwritten = await attempt(() => writer.end())
  const written = unwritten && job.isFile ? [] : writer.written()
  await burnAll(
    [...made].filter(([index]) => !written.includes(index)),
    client,
  )
  const kept = written.flatMap((index) => {
    const stored = made.get(index)
    return stored ? [{ stored, label: toLabel(names.rows[index]?.name ?? '', stored, flags) }] : []
  })
  await keep(kept)
  printSummary(kept, flags, job.chosen, io)
  const error = unwritten ?? failure
  if (error !== null) throw createPartialError(error, kept.length, total)
}

/** Null, or what `work` throws. */
async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
    return null
  } catch (error) {
    return error
  }
}

/**
 * Calls `work` with each index. The first call is alone: it charges the bytes of the files. After an error starts no
 * further call, waits for the running ones, and throws it.
 */
async function forEachIndex(count: number, work: (index: number) => Promise<void>): Promise<void> {
  await work(0)
  let next = 1
  let failure: unknown = null
  const runNext = async () => {
    while (failure === null && next < count) {
      await work(next++).catch((error) => {
        failure ??= error
      })
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, runNext))
  if (failure !== null) throw failure
}

/** Writes lines in the order of their indexes, each as soon as those before it are written. */
function createLineWriter({ names, output, chosen }: CopiesJob, flags: Flags, io: Io) {
  const waiting = new Map<number, StoredSecret>()
  const written: number[] = []
  let [next, isStarted] = [0, false]
  let writing = Promise.resolve()

  async function write(index: number, stored: StoredSecret): Promise<void> {
    // First, so that masks are printed before the values.
    printMasks(flags.mask, listSensitiveValues(stored, chosen), io)
    if (!isStarted && names.header && !flags.json) await output.write(formatCsvLine(toHeader(names.header, flags)))
    isStarted = true
    await output.write(formatEntry(names, index, stored, chosen, flags))
    written.push(index)
    if (stored.created.receipt && !flags.json && !names.header) io.writeErr(`Receipt: ${stored.created.receipt}\n`)
  }
  const enqueue = (index: number, stored: StoredSecret) => {
    waiting.delete(index)
    writing = writing.then(() => write(index, stored))
  }

  return {
    async add(index: number, stored: StoredSecret): Promise<void> {
      waiting.set(index, stored)
      for (let ready = waiting.get(next); ready; ready = waiting.get(next)) enqueue(next++, ready)
      await writing
    },
    /** Writes the lines that wait behind a failed name, and closes the output. */
    async end(): Promise<void> {
      for (const [index, stored] of [...waiting].sort(([one], [other]) => one - other)) enqueue(index, stored)
      await writing
      await output.close()
    },
    /** Indexes of the written lines. */
    written: () => written,
  }
}

const toHeader = (header: string[], { split, receipt }: Flags): string[] => [
  ...header,
  'link',
  ...(split ? ['key'] : []),
  'expires_at',
  ...(receipt ? ['receipt'] : []),
]

function formatEntry(
  { header, rows }: LinkNames,
  index: number,
  stored: StoredSecret,
  chosen: NewPassword | null,
  flags: Flags,
): string {
  const { name = '', cells = [] } = rows[index] ?? {}
  if (flags.json) return formatJson(stored, chosen, { label: name })
  if (!header) {
    return formatLines(stored, { ...flags, ...(flags.label !== undefined && { label: toLabel(name, stored, flags) }) })
  }
  const { created, link, linkWithoutKey, key } = stored
  return formatCsvLine([
    ...cells,
    ...(flags.split ? [linkWithoutKey, key] : [link]),
    formatTime(created.expiresAt),
    ...(flags.receipt ? [created.receipt ?? null] : []),
  ])
}

/** The name after the common part, such as `big.iso · Anna`. */
function toLabel(name: string, { files }: StoredSecret, { label, title }: Flags): string {
  const common = label ?? title ?? files[0]?.name
  const end = common === undefined ? name : ` · ${name}`
  return `${(common ?? '').slice(0, LABEL_MAX - end.length)}${end}`
}

/** Without its link, a secret is of no use. Best effort: it expires. */
async function burnAll(secrets: [number, StoredSecret][], client: Client): Promise<void> {
  for (const [, { created }] of secrets) {
    await client.burn(created.id, { burnToken: created.burnToken }).catch(() => {})
  }
}

function printSummary(kept: NamedSecret[], flags: Flags, chosen: NewPassword | null, io: Io): void {
  const last = kept.at(-1)
  if (!last) return
  const { created, files } = last.stored
  const what = `created ${formatCount(kept.length, 'link')}${files.length > 0 ? ` to ${formatCount(files.length, 'file')}` : ''}`
  const expiry = formatExpiry(created.expiresAt, Date.now())
  io.note(`${what}: each opens ${formatViews(created.maxViews)}, expires ${expiry}`)
  warnAboutNotify(created, io)
  if (chosen?.isGenerated && !flags.json) io.writeErr(`Password: ${chosen.password}\n`)
}

function createPartialError(error: unknown, count: number, total: number): CliError {
  const { outcome, message } = describeError(error)
  const hint = count > 0 ? 'the links that were printed are valid; run it again for the others' : 'no link was printed'
  return new CliError(outcome, `${message}; created ${count} of ${formatCount(total, 'link')}`, hint, { cause: error })
}
