/** Runs a child process with our streams, signals and exit code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join } from 'node:path'
import { CliError } from '../../lib/cli-error.js'
import type { Env } from '../../output/color.js'
import { type Io, resolvePath } from '../../output/io.js'

/** Signals that are forwarded to the child. */
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** Length of a shebang line that Linux reads. */
const SHEBANG_MAX_BYTES = 256
const NOTHING_OPENED = 'nothing was opened'

/** Throws CliError `usage` when the program can't be run, before a secret is opened. */
export function checkProgram(program: string, io: Io): void {
  const places = program.includes('/') ? [program] : (io.env.PATH ?? '').split(delimiter).map((at) => join(at, program))
  if (process.platform === 'win32') return
  const path = places.map((place) => resolvePath(io, place)).find(isExecutable)
  if (path === undefined) throw new CliError('usage', `program not found: ${program}`, NOTHING_OPENED)
  const interpreter = readInterpreter(path)
  if (interpreter === null || isExecutable(interpreter)) return
  throw new CliError('usage', `interpreter of ${program} not found: ${interpreter}`, NOTHING_OPENED)
}

/**
 * Rejects with the system error if the program cannot be started. Resolves with the exit code, or 128 plus the number
 * of the signal that ended the child. Calls `started` once it runs. After `timeoutS` seconds the child is killed, and
 * the error is named AbortError.
 */
export function runChild(
  [program = '', ...args]: string[],
  variables: Record<string, string>,
  started: () => Promise<void>,
  io: Io,
  timeoutS?: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const forward = (signal: NodeJS.Signals) => {
      // The terminal sends Ctrl-C and Ctrl-\ to the child too.
      const isFromTerminal = io.isTty.stdin && (signal === 'SIGINT' || signal === 'SIGQUIT')
      if (!isFromTerminal) child.kill(signal)
    }
    // Before the child starts: otherwise a signal could end this process and leave the child running.
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward)
    const done = () => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward)
    }
    const env = { ...io.env, ...variables }
    const child = startChild(program, args, { env, timeoutS }, io, done)
    if (!io.ownsProcess) pipeStreams(child, io)
    child.once('error', (error) => {
      done()
      reject(error)
    })
    const isReported = new Promise<void>((ready) => child.once('spawn', () => started().then(ready)))
    child.once('close', (code, signal) => {
      done()
      void isReported.then(() => resolve(code ?? 128 + (system.signals[signal as NodeJS.Signals] ?? 0)))
    })
  })
}

/** `done` is called when `spawn` throws, as for an environment that is too large. */
function startChild(
  program: string,
  args: string[],
  { env, timeoutS }: { env: Env; timeoutS: number | undefined },
  io: Io,
  done: () => void,
): ChildProcess {
  const limit =
    timeoutS === undefined ? {} : { signal: AbortSignal.timeout(timeoutS * 1000), killSignal: 'SIGKILL' as const }
  try {
    return spawn(program, args, { stdio: io.ownsProcess ? 'inherit' : 'pipe', env, cwd: io.cwd, ...limit })
  } catch (error) {
    done()
    throw error
  }
}

/** Pipes the streams where the child can't inherit them. */
function pipeStreams({ stdin, stdout, stderr }: ChildProcess, io: Io): void {
  // The child may end before it has read all of stdin.
  stdin?.on('error', () => {})
  if (io.stdin.readableEnded) stdin?.end()
  else if (stdin) io.stdin.pipe(stdin)
  stdout?.pipe(io.stdout, { end: false })
  stderr?.pipe(io.stderr, { end: false })
}

/** Returns the interpreter from the shebang line; null for other files. */
function readInterpreter(path: string): string | null {
  try {
    const file = openSync(path, 'r')
    const head = Buffer.alloc(SHEBANG_MAX_BYTES)
    readSync(file, head, 0, SHEBANG_MAX_BYTES, 0)
    closeSync(file)
    return /^#![ \t]*([^\s\0]+)/.exec(head.toString('latin1'))?.[1] ?? null
  } catch {
    // A program may be executable but not readable.
    return null
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
