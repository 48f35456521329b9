/** `npm run bench -- files`: speed and memory of the transfer of one large file by CLI and browser, on each file store. */
import { spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { hasS3Server, makeBucket } from '#test/s3'
import { CLI, type RunningServer, startServer } from '#test/start-server'
import { type BrowserTransfer, inBrowser } from './browser-files.js'

export type Row = { store: string } & (Transfer | BrowserTransfer)

/** The transfers that the targets are about, with local files. */
export interface TargetTransfers {
  /** Bytes of the files. */
  pageBytes: number
  cliBytes: number
  rows: Row[]
}

/** Result of the CLI. */
export interface Transfer {
  what: 'upload' | 'upload of a pipe' | 'download'
  /** 10^6 bytes of the file per second. */
  mbPerSecond: number
  /** Peak resident memory of the CLI, and the largest growth of the server's. */
  clientMib: number
  serverGrowthMib: number
}

const MIB = 2 ** 20
const LOOK_MS = 20
const ROOM = {
  MAYFLY_LOG: 'warn',
  MAYFLY_MAX_FILE_BYTES: '100000000000',
  MAYFLY_VISITOR_BYTES_PER_DAY: '100000000000000',
}

/** `args`: `--size 1024` in MiB, `--only cli` or `--only browser`, `--json` for programs. Needs the /proc of Linux. */
export async function files(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: '1024' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-bench-'))
  try {
    const path = join(folder, 'file')
    await fill(path, Number(values.size) * MIB)
    const rows = await onStore('local-files', {}, path, values.only)
    if (await hasS3Server()) rows.push(...(await onS3(path, values.only)))
    else process.stderr.write('no S3 server answers, so only local files are measured\n')
    process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : printed(rows, values.size))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Sends one file through the page and another one through the command line. */
export async function targetTransfers(pageBytes: number, cliBytes: number): Promise<TargetTransfers> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-bench-'))
  try {
    const [page, cli] = [join(folder, 'page'), join(folder, 'cli')]
    await fill(cli, cliBytes)
    const rows = await onStore('local-files', {}, cli, 'cli')
    await rm(cli)
    await fill(page, pageBytes)
    rows.push(...(await onStore('local-files', {}, page, 'browser')))
    return { pageBytes, cliBytes, rows }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function onS3(path: string, only?: string): Promise<Row[]> {
  const bucket = await makeBucket()
  const rows = await onStore('s3', bucket.env(), path, only)
  await bucket.drop()
  return rows
}

async function onStore(store: string, env: Record<string, string>, path: string, only?: string): Promise<Row[]> {
  const server = await startServer({ env: { ...ROOM, ...env, MAYFLY_FILES: store } })
  const rows: (Transfer | BrowserTransfer)[] = []
  if (only !== 'browser') rows.push(...(await throughShell(server, path)))
  if (only !== 'cli') rows.push(...((await inBrowser(server, path)) ?? []))
  await server.stop()
  return rows.map((row) => ({ store, ...row }))
}

async function throughShell(server: RunningServer, path: string): Promise<Transfer[]> {
  const rows: Transfer[] = []
  const measure = async (what: Transfer['what'], args: string[], stdin?: string) => {
    const { output, ...row } = await transfer(server, args, path, stdin)
    rows.push({ what, ...row })
    return output.trim()
  }
  const link = await measure('upload', ['create', '-f', path])
  await measure('download', ['read', link, '--out-dir', `${path}.out`])
  await rm(`${path}.out`, { recursive: true })
  await measure('upload of a pipe', ['create', '-f', '-'], path)
  return rows
}

/** `stdin`: file to use as standard input. */
async function transfer(server: RunningServer, args: string[], path: string, stdin?: string) {
  const before = await memoryMib(server.pid, 'VmRSS')
  // Resets the peak.
  await writeFile(`/proc/${server.pid}/clear_refs`, '5')
  const started = performance.now()
  const child = spawn(process.execPath, [CLI, 'secret', ...args, '-q'], {
    env: { PATH: process.env.PATH, MAYFLY_SERVER: server.url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (stdin) createReadStream(stdin).pipe(child.stdin)
  else child.stdin.end()
  let clientMib = 0
  const looking = setInterval(async () => {
    // The process has ended.
    clientMib = Math.max(clientMib, (await memoryMib(child.pid as number, 'VmHWM').catch(() => 0)) || 0)
  }, LOOK_MS)
  const ended = new Promise((resolve) => child.once('close', resolve))
  const output = await text(child.stdout)
  const code = await ended
  clearInterval(looking)
  if (code !== 0) throw new Error(`mayfly secret ${args[0]} ended with ${code}`)
  const seconds = (performance.now() - started) / 1000
  const serverGrowthMib = Math.max(0, (await memoryMib(server.pid, 'VmHWM')) - before)
  return { output, mbPerSecond: (await stat(path)).size / 1e6 / seconds, clientMib, serverGrowthMib }
}

async function memoryMib(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024
}

/** Random bytes cannot be compressed on the way. */
async function fill(path: string, size: number): Promise<void> {
  const file = await open(path, 'wx')
  const bytes = Buffer.alloc(MIB)
  for (let left = size; left > 0; left -= MIB) await file.write(randomFillSync(bytes), 0, Math.min(MIB, left))
  await file.close()
}

function printed(rows: Row[], size: string): string {
  return [`a file of ${size} MiB`, ...formatTransfers(rows), ''].join('\n')
}

export function formatTransfers(rows: Row[]): string[] {
  return rows.map((row) =>
    [
      row.store.padEnd(12),
      row.what.padEnd(21),
      `${row.mbPerSecond.toFixed(0).padStart(5)} MB/s`,
      ...('tabMib' in row
        ? [`tab at most ${row.tabMib.toFixed(0)} MiB`, `browser at most ${row.browserMib.toFixed(0)} MiB`]
        : [`client at most ${row.clientMib.toFixed(0)} MiB`, `server grew by ${row.serverGrowthMib.toFixed(0)} MiB`]),
    ].join('  '),
  )
}
