/** The journal as it is written; core/backup/tombstones.ts says what is in it, and reads it. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, tombstoneOf } from '#core'

const DAY_MS = 24 * 60 * 60_000
const NAME = /^(\d+)-[0-9a-f]+(\.gap-\d+)?\.(log|broken)$/

interface Options {
  keepDays: number
  log: Log
  /** Epoch ms. */
  now: () => number
}

/** Resolves when a line is on the disk; rejects when it is not, and then the journal says that it has a gap. */
export interface OpenJournal {
  secret(id: string, viewsLeft: number): Promise<void>
  user(id: string): Promise<void>
  close(): Promise<void>
}

interface Line {
  text: string
  resolve(): void
  reject(error: unknown): void
}

interface Current {
  path: string
  file: FileHandle
  /** Epoch ms. */
  from: number
}

/** Each process writes a file of its own, and a new one every day. Throws what the file system says. */
export async function openJournal(folder: string, { keepDays, log, now }: Options): Promise<OpenJournal> {
  let current: Current | null = await begin(folder, now())
  /** Files that lack lines, until the next file is begun. */
  let broken: string[] = []
  let waiting: Line[] = []
  let running: Promise<void> | null = null
  await forget(folder, now() - keepDays * DAY_MS)

  /** Lines that come while others are written wait for each other and share one sync. */
  const append = (text: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ text, resolve, reject })
      running ??= run()
    })

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting
      waiting = []
      await write(lines.map(({ text }) => text)).then(
        () => lines.forEach(({ resolve }) => void resolve()),
        (error) => lines.forEach(({ reject }) => void reject(error)),
      )
    }
    running = null
  }

  async function write(lines: string[]): Promise<void> {
    try {
      const { file } = await today()
      await file.appendFile(`${lines.join('\n')}\n`)
      await file.datasync()
    } catch (error) {
      await breakOff()
      throw error
    }
  }

  async function today(): Promise<Current> {
    if (current && now() - current.from < DAY_MS) return current
    const old = current
    current = await begin(folder, now())
    for (const path of broken) await rename(path, path.replace(/broken$/, `gap-${current.from}.log`))
    broken = []
    await old?.file.close()
    await forget(folder, now() - keepDays * DAY_MS)
    return current
  }

  /** Renaming needs no room on a disk that is full. */
  async function breakOff(): Promise<void> {
    if (!current) return
    const { path, file } = current
    current = null
    log.error('the journal of what has ended has a gap: backups that were made before it ends are not to be restored')
    const marked = path.replace(/log$/, 'broken')
    await rename(path, marked)
    broken.push(marked)
    await file.close().catch(() => {})
  }

  return {
    secret: (id, viewsLeft) => append(`secret ${tombstoneOf(id)} ${viewsLeft}`),
    user: (id) => append(`user ${tombstoneOf(id)}`),
    async close() {
      await running
      await current?.file.close()
    },
  }
}

async function begin(folder: string, from: number): Promise<Current> {
  const path = join(folder, `${from}-${randomBytes(6).toString('hex')}.log`)
  const file = await open(path, 'ax', 0o600)
  await file.appendFile(`from ${from}\n`)
  await file.datasync()
  return { path, file, from }
}

async function forget(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const from = NAME.exec(name)?.[1]
    if (from !== undefined && Number(from) + DAY_MS < before) await rm(join(folder, name))
  }
}
