/** The built program, run as its users run it: `mayfly serve` in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { freePort } from '#core/http/server'

/** The built command; `npm test` builds it first. Found through the package, because the benchmark is built itself. */
export const CLI = join(dirname(createRequire(import.meta.url).resolve('mayfly/package.json')), 'dist/cli.js')
const READY = /Ready on (https?:\/\/[^\s"]+)/

export interface RunningServer {
  /** Where it says that people reach it. */
  url: string
  /** Where it listens on the loopback. */
  port: number
  pid: number
  dataDir: string
  /** All that it wrote to stderr so far. */
  log(): string
  /** Resolves when the log matches. Rejects when the process ends before. */
  logged(pattern: RegExp): Promise<RegExpMatchArray>
  /** The same for stdout. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>
  /** Resolves when the process has ended, by whatever cause. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** SIGTERM, then waits; removes the data folder unless it was given. */
  stop(): Promise<void>
  /** SIGKILL, then waits; keeps the data folder. */
  kill(): Promise<void>
}

interface Options {
  /** Kept after `stop`; without it, a new temporary folder that is removed. */
  dataDir?: string
  env?: Record<string, string>
  /** Arguments of node itself, before the program. */
  nodeArgs?: string[]
  /** Further arguments of `serve`. */
  args?: string[]
}

/** What has not ended by then is killed: the tests of an orderly end look at the answer of `ended` themselves. */
const LAST_MS = 60_000

/** Starts it on a free port of the loopback and waits until it is ready. Rejects with its log when it ends before. */
export async function startServer({
  dataDir,
  env = {},
  nodeArgs = [],
  args = [],
}: Options = {}): Promise<RunningServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-serve-')))
  const port = await freePort()
  const child = spawn(process.execPath, [...nodeArgs, CLI, 'serve', '--port', String(port), ...args], {
    cwd: folder,
    // Everything here comes from one address, and more often than people do.
    env: { PATH: process.env.PATH, MAYFLY_HOST: '127.0.0.1', MAYFLY_LIMITS: 'off', MAYFLY_DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { text: log, matched: logged, ended } = listenTo(child, child.stderr as Readable)
  const { matched: printed } = listenTo(child, child.stdout as Readable)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), LAST_MS)
    await ended
    clearTimeout(late)
  }
  const [, url = ''] = await logged(READY)
  return {
    url,
    port,
    pid: child.pid as number,
    dataDir: folder,
    log,
    logged,
    printed,
    ended,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM')
      if (!dataDir) await rm(folder, { recursive: true, force: true })
    },
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
