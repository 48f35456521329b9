/** The streams, environment, working folder and arguments of one run of the command line: commands use nothing else of the process. */
import { homedir, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { CliError } from '../lib/cli-error.js'
import { readHead, type StreamHead } from '../lib/read-head.js'
import { RunCleanup } from '../lib/signals.js'
import { type Env, isSet, wantsColor } from './color.js'
import { openControllingTerminal, prompt, type Terminal } from './prompt.js'
import { toSingleLine } from './sanitize.js'

export interface IoSource {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  env: Env
  /** Arguments of the program, without node and the script. */
  argv: string[]
  /** Which streams are terminals. */
  isTTY: { stdin: boolean; stdout: boolean; stderr: boolean }
  /** Folder that relative paths start from. Default: that of the process. */
  cwd?: string
  /**
   * True when the streams are those of this process and it runs nothing else. Child processes then inherit the streams,
   * and questions may use the terminal that the process was started from.
   */
  ownsProcess?: boolean
}

/** The global flags that change what is printed and asked. */
export interface IoFlags {
  quiet?: boolean | undefined
  /** `auto`, `always` or `never`. */
  color?: string | undefined
  /** False: never ask. */
  input?: boolean | undefined
}

const RED = 31
const YELLOW = 33

/** State of a run that all views of its io share. */
interface RunState {
  /** What stdin is read for. */
  stdinContent: string | undefined
  /** True while a line stands on stderr that the next one replaces. */
  hasStatusLine: boolean
  exitCode: number
  cleanup: RunCleanup
}

export function createIo(source: IoSource, flags: IoFlags = {}): Io {
  return new Io(source, flags, {
    stdinContent: undefined,
    hasStatusLine: false,
    exitCode: 0,
    cleanup: new RunCleanup(),
  })
}

/** stdout carries results and nothing else. Notes, warnings and questions go to stderr. Each stream is a terminal or not on its own. */
export class Io {
  readonly env: Env
  /** Arguments of the program. */
  readonly argv: string[]
  readonly isTty: IoSource['isTTY']
  readonly ownsProcess: boolean
  /** True when questions can be asked on stdin and stderr. */
  readonly canPrompt: boolean
  /** True when a line on stderr can be drawn over. */
  readonly canRedraw: boolean
  /** True when stderr can show a picture to a person. */
  readonly canDraw: boolean
  readonly isColored: boolean
  readonly #isPromptAllowed: boolean
  readonly #isQuiet: boolean

  constructor(
    private readonly source: IoSource,
    flags: IoFlags,
    private readonly state: RunState,
  ) {
    const { env, isTTY } = source
    const isDumb = env.TERM === 'dumb'
    this.env = env
    this.argv = source.argv
    this.isTty = isTTY
    this.ownsProcess = source.ownsProcess ?? false
    this.#isQuiet = flags.quiet ?? false
    this.#isPromptAllowed = (flags.input ?? true) && !isSet(env, 'CI') && !isSet(env, 'MAYFLY_NO_INPUT')
    this.canPrompt = this.#isPromptAllowed && isTTY.stdin && isTTY.stderr
    this.canRedraw = isTTY.stderr && !this.#isQuiet && !isDumb && !isSet(env, 'MAYFLY_ACCESSIBLE')
    this.canDraw = isTTY.stderr && !isSet(env, 'CI') && !isDumb
    this.isColored = wantsColor(flags.color ?? 'auto', isTTY.stderr, env)
  }

  /** The same streams and state under the global flags of a command. */
  withFlags(flags: IoFlags): Io {
    return new Io(this.source, flags, this.state)
  }

  /** Folder that relative paths start from. */
  get cwd(): string {
    return this.source.cwd ?? process.cwd()
  }

  get stdin(): Readable {
    return this.source.stdin
  }

  get stdout(): Writable {
    return this.source.stdout
  }

  get stderr(): Writable {
    return this.source.stderr
  }

  /** Width of the terminal on stdout. */
  get columns(): number {
    return (this.isTty.stdout && (this.stdout as Partial<WriteStream>).columns) || 80
  }

  /** What is undone when the run ends. */
  get cleanup(): RunCleanup {
    return this.state.cleanup
  }

  /** Exit code of a command that does not throw. */
  get exitCode(): number {
    return this.state.exitCode
  }

  setExitCode(code: number): void {
    this.state.exitCode = code
  }

  error(message: string): void {
    this.#writeLine(`${this.#paint(RED, 'error:')} ${toSingleLine(message)}`)
  }

  hint(message: string): void {
    this.#writeLine(`hint: ${toSingleLine(message)}`)
  }

  warn(message: string): void {
    if (!this.#isQuiet) this.#writeLine(`${this.#paint(YELLOW, 'warning:')} ${toSingleLine(message)}`)
  }

  note(message: string): void {
    if (!this.#isQuiet) this.#writeLine(toSingleLine(message))
  }

  /** Writes to stderr, also with --quiet. */
  writeErr(text: string): void {
    this.redraw('')
    this.stderr.write(text)
  }

  /** Replaces the line that stands on stderr; '' removes it. */
  redraw(text: string): void {
    if (this.state.hasStatusLine || text !== '') this.stderr.write(`\r\x1b[K${text}`)
    this.state.hasStatusLine = text !== ''
  }

  /** Resolves when the data has been handed over. Rejects when the reader has gone. */
  write(data: string | Uint8Array): Promise<void> {
    return new Promise((done, reject) => void this.stdout.write(data, (error) => (error ? reject(error) : done())))
  }

  /** All of stdin, or null when there are more than `maxBytes`. `what` names the content in error messages. */
  async readStdin(what: string, maxBytes: number): Promise<Buffer | null> {
    const { bytes, rest } = await this.readStdinHead(what, maxBytes)
    if (rest) this.stdin.destroy()
    return rest ? null : bytes
  }

  /** All of stdin; or, when there are more than `maxBytes`, what has been read so far and the rest as a stream. */
  async readStdinHead(what: string, maxBytes: number): Promise<StreamHead> {
    this.#claimStdin(what)
    return readHead(this.stdin, maxBytes)
  }

  /** stdin as it arrives. */
  streamStdin(what: string): AsyncIterable<Buffer> {
    this.#claimStdin(what)
    return this.stdin
  }

  /** Yes or no; `fallback` is what Enter means. */
  confirm(message: string, fallback: boolean): Promise<boolean> {
    return prompt(this.#terminal(), { type: 'confirm', message, default: fallback }, this.isColored)
  }

  /** One of several; `fallback` is selected at first. */
  select<T extends string>(message: string, choices: { value: T; name: string }[], fallback: T): Promise<T> {
    return prompt(this.#terminal(), { type: 'select', message, choices, default: fallback }, this.isColored)
  }

  promptText(message: string, fallback: string): Promise<string> {
    return prompt(this.#terminal(), { type: 'input', message, default: fallback }, this.isColored)
  }

  /**
   * Asks for a password, key or link without echo; on /dev/tty when stdin carries something else.
   * Throws CliError `usage` with `hint` when no question can be asked.
   */
  async promptHidden(what: string, hint: string): Promise<string> {
    const terminal = this.#openTerminal()
    if (!terminal) throw new CliError('usage', `a ${what} is needed, and nobody can be asked`, hint)
    const message = `${what.charAt(0).toUpperCase()}${what.slice(1)}:`
    return prompt(terminal, { type: 'password', message, toggleMask: false }, this.isColored)
  }

  /** True when `askHidden` can ask. */
  canPromptHidden(): boolean {
    const terminal = this.#openTerminal()
    terminal?.close()
    return terminal !== null
  }

  #writeLine(text: string): void {
    this.writeErr(`mayfly: ${text}\n`)
  }

  #paint(code: number, text: string): string {
    return this.isColored ? `\x1b[${code}m${text}\x1b[0m` : text
  }

  /** Throws CliError `usage` when stdin is already read for something else, or is a terminal and no question can be asked. */
  #claimStdin(what: string): void {
    if (this.state.stdinContent)
      throw new CliError('usage', `stdin cannot be both ${this.state.stdinContent} and ${what}`)
    this.state.stdinContent = what
    if (!this.isTty.stdin) return
    // Without a person at the terminal it would wait forever.
    if (!this.canPrompt) throw new CliError('usage', `${what} is expected on stdin, and that is a terminal`)
    this.writeErr(`Type or paste ${what}, end with Ctrl-D:\n`)
  }

  #terminal(): Terminal {
    return { input: this.stdin, output: this.stderr, close() {} }
  }

  #openTerminal(): Terminal | null {
    if (!this.#isPromptAllowed) return null
    if (this.isTty.stdin && this.isTty.stderr) return this.#terminal()
    return this.ownsProcess ? openControllingTerminal() : null
  }
}

/** The absolute path of what a user typed. */
export const resolvePath = (io: Io, path: string): string => resolve(io.cwd, path)

/** Home folder of the user; empty when there is none. */
export function homeFolder({ env }: Io): string {
  if (env.HOME !== undefined) return env.HOME
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** Folder for temporary files. */
export const temporaryFolder = ({ env }: Io): string => env.TMPDIR || tmpdir()
