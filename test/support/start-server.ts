/** Runs the built `mayfly serve` in a process of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.js'

/** The built command; `npm test` builds it first. Found through the package, because the benchmark is bundled. */
export const CLI = join(dirname(createRequire(import.meta.url).resolve('mayfly/package.json')), 'dist/cli.js')
const READY = /Ready on (https?:\/\/[^\s"]+)/

export interface RunningServer {
  /** Public URL, as printed. */
  url: string
  /** Port on the loopback interface. */
  port: number
  pid: number
  dataDir: string
  /** Everything written to stderr so far. */
  log(): string
  /** Resolves when the log matches. Rejects when the process ends before. */
  logged(pattern: RegExp): Promise<RegExpMatchArray>
  /** The same for stdout. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>
  /** Resolves when the process has ended, for any reason. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /**
   * Sends SIGTERM, waits, and removes the data folder unless it was given. Rejects with the log and the open handles
   * when the process does not end in time.
   */
  stop(): Promise<void>
  /** Sends SIGKILL and waits; keeps the data folder. */
  kill(): Promise<void>
}

/** An instance setting that lets visitors create requests for secrets. */
export const REQUESTS_FOR_ANYONE = 'who_can_request=anyone'

interface Options {
  /** Kept after `stop`. Default: a new temporary folder that `stop` removes. */
  dataDir?: string
  env?: Record<string, string>
  /** Arguments of node, before the program. */
  nodeArgs?: string[]
  /** Further arguments of `serve`. */
  args?: string[]
  /** Instance settings, in effect when the server is ready. */
  settings?: string[]
}

/**
 * From SIGTERM to the end of the process, in ms: the shutdown deadline of the program, and a margin for busy machines.
 */
const STOP_MS = 11_000 + 20_000
/** When a process has seen the settings that another one changed, in ms. */
const SETTINGS_MS = 1_100
/** How long node may take to write a report about its handles, in ms. */
const REPORT_MS = 10_000

/**
 * Starts the server on a free port of the loopback and waits until it is ready. Rejects with the log when it ends
 * before.
 */
export async function startServer({
  dataDir,
  env = {},
  nodeArgs = [],
  args = [],
  settings = [],
}: Options = {}): Promise<RunningServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-serve-')))
  const port = await freePort()
  const reports = await mkdtemp(join(tmpdir(), 'mayfly-report-'))
  const reportArgs = ['--report-on-signal', '--report-signal=SIGQUIT', `--report-directory=${reports}`]
  // Everything here comes from one address, and more often than people do.
  const usual = { MAYFLY_HOST: '127.0.0.1', MAYFLY_LIMITS: 'off', MAYFLY_DATA_DIR: folder }
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...usual, ...env } }
  const child = spawn(process.execPath, [...reportArgs, ...nodeArgs, CLI, 'serve', '--port', String(port), ...args], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { text: log, matched: logged, ended } = listenTo(child, child.stderr as Readable)
  const { matched: printed } = listenTo(child, child.stdout as Readable)
  void ended.then(() => rm(reports, { recursive: true, force: true }))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const [, url = ''] = await logged(READY)
  if (settings.length > 0) {
    await promisify(execFile)(process.execPath, [CLI, 'settings', 'set', ...settings], options)
    await sleep(SETTINGS_MS)
  }
  return {
    url,
    port,
    pid: child.pid as number,
    dataDir: folder,
    log,
    logged,
    printed,
    ended,
    kill,
    async stop() {
      child.kill('SIGTERM')
      if (!(await isOverWithin(ended, STOP_MS))) {
        const handles = await openHandles(child, reports)
        await kill()
        throw new Error(`the server did not end within ${STOP_MS} ms of SIGTERM; open: ${handles}\n${log()}`)
      }
      if (!dataDir) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isOverWithin(ended: Promise<unknown>, ms: number): Promise<boolean> {
  const controller = new AbortController()
  const late = sleep(ms, false, { signal: controller.signal }).catch(() => false)
  const isOver = await Promise.race([ended.then(() => true), late])
  controller.abort()
  return isOver
}

/** The active handles of the event loop, from a report that node writes on a signal. */
async function openHandles(child: ChildProcess, folder: string): Promise<string> {
  child.kill('SIGQUIT')
  for (const end = Date.now() + REPORT_MS; Date.now() < end; await sleep(100)) {
    const [name] = await readdir(folder)
    const report = name && parse(await readFile(join(folder, name), 'utf8'))
    if (report)
      return report.libuv
        .filter((handle) => handle.is_active && handle.is_referenced)
        .map((handle) => JSON.stringify(handle))
        .join('\n')
  }
  return 'unknown, because node wrote no report'
}

/** Null while the file is being written. */
function parse(text: string): { libuv: { is_active: boolean; is_referenced: boolean }[] } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function listenTo(child: ChildProcess, stream: Readable) {
  let text = ''
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const watcher of [...watchers]) watcher()
  }
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    tell()
  })
  let over = false
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // The program could not be started, for example because its folder is missing.
    child.once('error', (error) => {
      over = true
      text += `${error}\n`
      resolve({ code: null, signal: null })
      tell()
    })
    child.once('close', (code, signal) => {
      over = true
      resolve({ code, signal })
      tell()
    })
  })
  const matched = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = text.match(pattern)
        if (!match && !over) return
        watchers.delete(look)
        if (match) resolve(match)
        else reject(new Error(`the server ended before it wrote ${pattern}:\n${text}`))
      }
      watchers.add(look)
      look()
    })
  return { text: () => text, matched, ended }
}
