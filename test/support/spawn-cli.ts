/**
 * Runs the built program in a process of its own: in a pipe, in a shell, or on a terminal. Tests of behavior use
 * run-cli.ts.
 */
import { spawn } from 'node:child_process'
import { bareEnvironment, type Ran, type RunOptions } from './run-cli.js'
import { CLI } from './start-server.js'

/** Runs the program without a terminal, its stdin a pipe, and waits for its end. */
export function spawnCli(args: string[], options: RunOptions = {}): Promise<Ran> {
  return spawned(process.execPath, [CLI, ...args], options)
}

/** Runs a line of shell in which `mayfly` is the program. */
export function shell(line: string, options: RunOptions = {}): Promise<Ran> {
  return spawned(
    'bash',
    ['-c', `set -euo pipefail; mayfly() { '${process.execPath}' '${CLI}' "$@"; }; ${line}`],
    options,
  )
}

function spawned(program: string, args: string[], { stdin = '', env = {}, cwd }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // In a session of its own, so that there is no terminal to ask on, not even the terminal of the tests.
    const child = spawn(program, args, { env: bareEnvironment(env), cwd, detached: true })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk) => stdout.push(chunk))
    child.stderr.on('data', (chunk) => stderr.push(chunk))
    // It may end without having read everything.
    child.stdin.on('error', () => {})
    child.once('error', reject)
    child.once('close', (code) => resolve({ stdout: Buffer.concat(stdout), stderr: `${Buffer.concat(stderr)}`, code }))
    child.stdin.end(stdin)
  })
}

export interface Terminal {
  /** Waits until the screen shows a match after the previous one, ignoring colors. Returns the match. */
  sees(pattern: RegExp): Promise<string>
  /** Presses keys. */
  types(keys: string): void
  /** Everything shown so far, colours and all. */
  screen(): string
  /** Its exit code. */
  ended: Promise<number | null>
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals are steered with
const STEERING = /\x1b\[[0-9;?]*[A-Za-z]/g

/** Runs a line of shell on a terminal of its own, `mayfly` being the program. Needs `script`. */
export function terminal(line: string, { env = {}, cwd }: RunOptions = {}): Terminal {
  const command = line.replace(/\bmayfly /g, `'${process.execPath}' '${CLI}' `)
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...bareEnvironment({ TERM: 'xterm' }), SHELL: '/bin/bash', ...env },
    cwd,
  })
  // A test that fails leaves its terminal open.
  const killWithUs = () => child.kill()
  process.once('exit', killWithUs)
  let screen = ''
  let seen = 0
  let isOver = false
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const watcher of [...watchers]) watcher()
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk
    tell()
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('exit', killWithUs)
      isOver = true
      tell()
      resolve(code)
    })
  })
  const sees = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(withoutSteering(screen).slice(seen))
        if (!match && !isOver) return
        watchers.delete(look)
        if (!match) return reject(new Error(`the terminal never showed ${pattern}:\n${screen}`))
        seen += match.index + match[0].length
        resolve(match[0])
      }
      watchers.add(look)
      look()
    })
  return { sees, types: (keys) => void child.stdin.write(keys), screen: () => screen, ended }
}

/** Text without the sequences that colour it and move the cursor. */
const withoutSteering = (text: string): string => text.replaceAll(STEERING, '')
