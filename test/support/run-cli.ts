/** Runs the command line inside the test's process: as fast as a function call, without its environment. */
import { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createIo, type Io, type IoSource } from '#cli/output/io'
import { runCli } from '#cli/run-cli'

export interface Ran {
  stdout: Buffer
  stderr: string
  code: number | null
}

export interface RunOptions {
  stdin?: string | Uint8Array
  env?: Record<string, string>
  cwd?: string
  /** Called with all that was written to stderr so far. */
  onStderr?(text: string): void
}

/** The environment of the program in tests: of the caller's it has only the places of programs. */
export const bareEnvironment = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  ...env,
})

/**
 * Runs the command line without a terminal. Rejects when it leaves listeners, child processes or changed variables in
 * this process. Tests that need a process of its own, such as for signals or descriptors, use spawn-cli.ts.
 */
export async function run(args: string[], options: RunOptions = {}): Promise<Ran> {
  const { io, stdout, stderr } = testIo({ ...options, argv: args })
  const leave = enter()
  const code = await runCli(args, io).finally(leave)
  return { stdout: stdout(), stderr: `${stderr()}`, code }
}

type TestIoOptions = RunOptions & { argv?: string[]; isTTY?: Partial<IoSource['isTTY']> }

/** An io in memory, and its output. */
export function testIo({ stdin = '', env, cwd, argv = [], isTTY, onStderr }: TestIoOptions = {}): {
  io: Io
  stdout(): Buffer
  stderr(): Buffer
} {
  const [stdout, stderr] = [collector(), collector(onStderr)]
  const source = { stdin: readable(stdin), stdout: stdout.stream, stderr: stderr.stream }
  const terminals = { stdin: false, stdout: false, stderr: false, ...isTTY }
  const io = createIo({
    ...source,
    env: bareEnvironment(env),
    argv,
    isTTY: terminals,
    cwd: cwd ?? process.cwd(),
  })
  return { io, stdout: stdout.bytes, stderr: stderr.bytes }
}

/** In the pieces that a pipe would deliver. */
function readable(content: string | Uint8Array): Readable {
  const bytes = Buffer.from(content)
  const pieces = Math.ceil(bytes.length / PIPE_BYTES)
  return Readable.from(
    Array.from({ length: pieces }, (_, at) => bytes.subarray(at * PIPE_BYTES, (at + 1) * PIPE_BYTES)),
    { objectMode: false },
  )
}

const PIPE_BYTES = 64 * 1024

function collector(onWrite?: (text: string) => void) {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(Buffer.from(chunk))
      onWrite?.(`${Buffer.concat(chunks)}`)
      done()
    },
  })
  return { stream, bytes: () => Buffer.concat(chunks) }
}

/** Runs that overlap are checked together, when the last one ends. */
let running = 0
let before: Record<string, unknown> = {}

/** Returns the function that is called at the end of the run. */
function enter(): () => Promise<void> {
  if (running === 0) before = traces()
  running += 1
  return async () => {
    let left = leftovers()
    // Handles are closed some turns of the event loop after their processes have ended.
    for (let turn = 0; turn < 100 && left.length > 0; turn++) {
      await setImmediate()
      left = leftovers()
    }
    running -= 1
    if (running === 0 && left.length > 0) {
      throw new Error(`the command left something behind in the process: ${left.join(', ')}`)
    }
  }
}

/** Nothing while other runs go on. */
function leftovers(): string[] {
  if (running > 1) return []
  const after = traces()
  return Object.keys(after)
    .filter((name) => isLeft(before[name], after[name]))
    .map((name) => `${name}: ${before[name]} -> ${after[name]}`)
}

/** Processes of the test runner may end in the meantime. */
const isLeft = (before: unknown, after: unknown): boolean =>
  typeof before === 'number' && typeof after === 'number' ? after > before : after !== before

/** State that a command must restore. */
function traces(): Record<string, unknown> {
  const events = ['exit', 'beforeExit', 'disconnect', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']
  const listeners = events.map((event) => [`listeners of ${event}`, process.listenerCount(event)])
  const resources = process.getActiveResourcesInfo()
  const handles = ['ProcessWrap', 'TTYWrap'].map((kind) => [kind, resources.filter((each) => each === kind).length])
  return {
    ...Object.fromEntries([...listeners, ...handles]),
    exitCode: String(process.exitCode),
    cwd: process.cwd(),
    environment: JSON.stringify(process.env),
  }
}
