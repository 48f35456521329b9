/** A command that takes the place of ours: its streams, its signals, its exit code. */
import { spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join } from 'node:path'
import { CliError } from '../errors.js'

/** Those that ask a program to do something, and not only to end. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** How much of a first line Linux reads, in bytes. */
const LINE_MAX = 256
const NOTHING_OPENED = 'nothing was opened'

/** Throws CliError `usage`, so that nothing is opened for a command that cannot run. */
export function checkProgram(program: string): void {
  const places = program.includes('/')
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((at) => join(at, program))
  if (process.platform === 'win32') return
  const path = places.find(isProgram)
  if (path === undefined) throw new CliError('usage', `there is no program ${program}`, NOTHING_OPENED)
  const interpreter = interpreterOf(path)
  if (interpreter === null || isProgram(interpreter)) return
  throw new CliError('usage', `${program} asks for a program that is not there: ${interpreter}`, NOTHING_OPENED)
}

/** Answers its exit code, 128 and the number of the signal that ended it. `started` is called as soon as it runs. */
export function runChild(
  [program = '', ...args]: string[],
  variables: Record<string, string>,
  started: () => Promise<void>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    // Before it runs: what would end us now would leave it alone.
    for (const signal of PASSED_ON) {
      process.on(signal, () => {
        // Ctrl-C and Ctrl-\ come from the terminal, which has told the child too.
        const isFromTerminal = process.stdin.isTTY === true && (signal === 'SIGINT' || signal === 'SIGQUIT')
        if (!isFromTerminal) child.kill(signal)
      })
    }
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...variables } })
    child.once('error', reject)
    const told = new Promise<void>((done) => child.once('spawn', () => started().then(done)))
    child.once('exit', (code, signal) => {
      void told.then(() => resolve(code ?? 128 + (system.signals[signal as NodeJS.Signals] ?? 0)))
    })
  })
}

/** What the first line of a script says that runs it; null for what is no script. */
function interpreterOf(path: string): string | null {
  try {
    const file = openSync(path, 'r')
    const head = Buffer.alloc(LINE_MAX)
    readSync(file, head, 0, LINE_MAX, 0)
    closeSync(file)
    return /^#![ \t]*([^\s\0]+)/.exec(head.toString('latin1'))?.[1] ?? null
  } catch {
    // It may be run and not read.
    return null
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
