/** Writes the journal. core/export/tombstones.ts defines its format and reads it. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, tombstoneOf } from '#core'
import type { EpochMs } from '#shared/epoch-ms'

const DAY_MS = 24 * 60 * 60_000
const FILE_NAME = /^(\d+)-[0-9a-f]+(\.gap-\d+)?\.(log|broken)$/

interface Options {
  keepDays: number
  log: Log
  now: () => EpochMs
}

/** The record methods resolve when the line is on the disk. They reject when it is not; the journal then has a gap. */
export interface TombstoneJournal {
  recordSecret(id: string, viewsLeft: number): Promise<void>
  recordUser(id: string): Promise<void>
  close(): Promise<void>
}

interface PendingLine {
  text: string
  resolve(): void
  reject(error: unknown): void
}

interface JournalFile {
  path: string
  handle: FileHandle
  from: EpochMs
}

/** Opens a new file: each process writes its own files, and starts a new one every day. Throws file system errors. */
export async function openTombstoneJournal(folder: string, options: Options): Promise<TombstoneJournal> {
  const writer = new JournalWriter(folder, options)
  await writer.open()
  return {
    recordSecret: (id, viewsLeft) => writer.append(`secret ${tombstoneOf(id)} ${viewsLeft}`),
    recordUser: (id) => writer.append(`user ${tombstoneOf(id)}`),
    close: () => writer.close(),
  }
}

class JournalWriter {
  private current: JournalFile | null = null
  /** Files with missing lines, until the next file is started. */
  private broken: string[] = []
  private pending: PendingLine[] = []
  private running: Promise<void> | null = null

  constructor(
    private readonly folder: string,
    private readonly options: Options,
  ) {}

  async open(): Promise<void> {
    this.current = await startFile(this.folder, this.options.now())
    await this.deleteOldFiles()
  }

  /** Lines that are appended while others are written share the next sync. */
  append(text: string): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.pending.push({ text, resolve, reject })
      this.running ??= this.writePending()
    })
  }

  async close(): Promise<void> {
    await this.running
    await this.current?.handle.close()
  }

  private async writePending(): Promise<void> {
    while (this.pending.length > 0) {
      const lines = this.pending
      this.pending = []
      await this.write(lines.map(({ text }) => text)).then(
        () => lines.forEach(({ resolve }) => void resolve()),
        (error) => lines.forEach(({ reject }) => void reject(error)),
      )
    }
    this.running = null
  }

  private async write(lines: string[]): Promise<void> {
    try {
      const { handle } = await this.fileOfToday()
      await handle.appendFile(`${lines.join('\n')}\n`)
      await handle.datasync()
    } catch (error) {
      await this.markGap()
      throw error
    }
  }

  private async fileOfToday(): Promise<JournalFile> {
    const { now } = this.options
    const previous = this.current
    if (previous && now() - previous.from < DAY_MS) return previous
    const next = await startFile(this.folder, now())
    this.current = next
    for (const path of this.broken) await rename(path, path.replace(/broken$/, `gap-${next.from}.log`))
    this.broken = []
    await previous?.handle.close()
    await this.deleteOldFiles()
    return next
  }

  /** Renames the current file, which works on a full disk, and closes it. */
  private async markGap(): Promise<void> {
    if (!this.current) return
    const { path, handle } = this.current
    this.current = null
    this.options.log.error('tombstone journal has a gap: do not restore backups made before the gap ends')
    const marked = path.replace(/log$/, 'broken')
    await rename(path, marked)
    this.broken.push(marked)
    await handle.close().catch(() => {})
  }

  private async deleteOldFiles(): Promise<void> {
    const { keepDays, now } = this.options
    const before = now() - keepDays * DAY_MS
    for (const name of await readdir(this.folder)) {
      const from = FILE_NAME.exec(name)?.[1]
      if (from !== undefined && Number(from) + DAY_MS < before) await rm(join(this.folder, name))
    }
  }
}

async function startFile(folder: string, from: number): Promise<JournalFile> {
  const path = join(folder, `${from}-${randomBytes(6).toString('hex')}.log`)
  const handle = await open(path, 'ax', 0o600)
  await handle.appendFile(`from ${from}\n`)
  await handle.datasync()
  return { path, handle, from }
}
