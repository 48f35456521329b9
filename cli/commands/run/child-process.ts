/** A command that takes the place of ours: its streams, its signals, its exit code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join } from 'node:path'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'

/** Those that ask a program to do something, and not only to end. */
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** How much of a first line Linux reads, in bytes. */
const SHEBANG_MAX_BYTES = 256
const NOTHING_OPENED = 'nothing was opened'

/** Throws CliError `usage`, so that nothing is opened for a command that cannot run. */
export function checkProgram(program: string, io: Io): void {
  const places = program.includes('/') ? [program] : (io.env.PATH ?? '').split(delimiter).map((at) => join(at, program))
  if (process.platform === 'win32') return
  const path = places.map((place) => resolvePath(io, place)).find(isExecutable)
  if (path === undefined) throw new CliError('usage', `there is no program ${program}`, NOTHING_OPENED)
  const interpreter = readInterpreter(path)
  if (interpreter === null || isExecutable(interpreter)) return
  throw new CliError('usage', `${program} asks for a program that is not there: ${interpreter}`, NOTHING_OPENED)
}

/** Answers its exit code, 128 and the number of the signal that ended it. `started` is called as soon as it runs. */
export function runChild(
  [program = '', ...args]: string[],
  variables: Record<string, string>,
  started: () => Promise<void>,
  io: Io,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const forward = (signal: NodeJS.Signals) => {
      // Ctrl-C and Ctrl-\ come from the terminal, which has told the child too.
      const isFromTerminal = io.isTty.stdin && (signal === 'SIGINT' || signal === 'SIGQUIT')
      if (!isFromTerminal) child.kill(signal)
    }
    // Before it runs: a signal that ends us now would leave it running.
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward)
    const done = () => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward)
    }
    const env = { ...io.env, ...variables }
    const child = spawn(program, args, { stdio: io.ownsProcess ? 'inherit' : 'pipe', env, cwd: io.cwd })
    if (!io.ownsProcess) pipeStreams(child, io)
    child.once('error', (error) => {
      done()
      reject(error)
    })
    const told = new Promise<void>((ready) => child.once('spawn', () => started().then(ready)))
    child.once('close', (code, signal) => {
      done()
      void told.then(() => resolve(code ?? 128 + (system.signals[signal as NodeJS.Signals] ?? 0)))
    })
  })
}

/** Gives the child our streams where it cannot inherit them. */
function pipeStreams({ stdin, stdout, stderr }: ChildProcess, io: Io): void {
  // It may end without having read everything.
  stdin?.on('error', () => {})
  if (io.stdin.readableEnded) stdin?.end()
  else if (stdin) io.stdin.pipe(stdin)
  stdout?.pipe(io.stdout, { end: false })
  stderr?.pipe(io.stderr, { end: false })
}

/** What the first line of a script says that runs it; null for what is no script. */
function readInterpreter(path: string): string | null {
  try {
    const file = openSync(path, 'r')
    const head = Buffer.alloc(SHEBANG_MAX_BYTES)
    readSync(file, head, 0, SHEBANG_MAX_BYTES, 0)
    closeSync(file)
    return /^#![ \t]*([^\s\0]+)/.exec(head.toString('latin1'))?.[1] ?? null
  } catch {
    // It may be run and not read.
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
