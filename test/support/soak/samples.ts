/** Resources of a process and its data, from the /proc of Linux and from a report of node. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '#bench/statistics'
import type { TestDatabase } from '#test/databases'
import { listTables } from '#test/empty-database'

export interface Sample {
  /** Minutes since the start. */
  minute: number
  memoryMib: number
  /** Open files and sockets. */
  handles: number
  timers: number
  /** Of all tables except tables whose rows are kept for a day or longer. */
  rows: number
  /** Files, and the database of SQLite without the tables that are kept for a day or longer. */
  diskMib: number
}

/** Starts reports of this process in a folder of its own. Pass `nodeArgs` to node. */
export async function createSampler() {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-soak-'))
  const started = performance.now()
  return {
    nodeArgs: [`--report-directory=${folder}`],
    async take(pid: number, dataDirs: string[], database: TestDatabase): Promise<Sample> {
      const sizes = await Promise.all(dataDirs.map(sizeOf))
      const bytes = sizes.reduce((sum, size) => sum + size, 0) - (await measureKept(database))
      return {
        minute: (performance.now() - started) / 60_000,
        memoryMib: await memoryOf(pid),
        handles: (await readdir(`/proc/${pid}/fd`)).length,
        timers: await countTimers(pid, folder),
        rows: await countRows(database),
        diskMib: bytes / 2 ** 20,
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * The audit log and the idempotency keys: they grow with the traffic of the hour, and their cleanup is tested
 * elsewhere.
 */
const KEPT = ['audit', 'idempotency_records']

async function countRows({ engine, db }: TestDatabase): Promise<number> {
  const tables = (await listTables(engine, db)).filter((name) => !KEPT.includes(name))
  const counts = await Promise.all(tables.map((name) => db(name).count({ count: '*' }).first()))
  return counts.reduce((sum, row) => sum + Number(row?.count), 0)
}

/** Bytes of the kept tables and their indexes in the file of SQLite; 0 on a server, whose files are not measured. */
async function measureKept({ engine, db }: TestDatabase): Promise<number> {
  if (engine !== 'sqlite') return 0
  const kept = db('sqlite_master').whereIn('tbl_name', KEPT).select('name')
  const row = await db('dbstat').where('aggregate', 1).whereIn('name', kept).sum({ bytes: 'pgsize' }).first()
  return Number(row?.bytes ?? 0)
}

async function memoryOf(pid: number): Promise<number> {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

/** Active timers and handles of the event loop, from the report that node writes on SIGQUIT. */
async function countTimers(pid: number, folder: string): Promise<number> {
  process.kill(pid, 'SIGQUIT')
  for (let attempt = 0; attempt < 100; attempt++) {
    await sleep(100)
    const [name] = await readdir(folder)
    const report = name && parseReport(await readFile(join(folder, name), 'utf8'))
    if (!report || !name) continue
    await rm(join(folder, name))
    return report.libuv.filter(({ is_active, type }) => is_active && type !== 'tcp').length
  }
  throw new Error('node wrote no report')
}

/** Null while the file is being written. */
function parseReport(text: string): { libuv: { is_active?: boolean; type: string }[] } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  // Files may be deleted meanwhile.
  const sizes = await Promise.all(
    files.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * How much each figure may grow from the second quarter of the run to its last one. Caches fill during the first
 * quarter.
 */
const GROWTH_MAX: Record<Exclude<keyof Sample, 'minute'>, number> = {
  memoryMib: 16,
  handles: 20,
  timers: 10,
  rows: 500,
  diskMib: 8,
}

export interface Trend {
  figure: string
  before: number
  after: number
  isFlat: boolean
}

/** Compares the medians of the second and the last quarter. */
export function trendsOf(samples: Sample[]): Trend[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4))
  return Object.entries(GROWTH_MAX).map(([figure, growth]) => {
    const values = samples.map((sample) => sample[figure as keyof Sample])
    const before = median(values.slice(quarter, 2 * quarter))
    const after = median(values.slice(-quarter))
    return { figure, before, after, isFlat: after - before <= growth }
  })
}
