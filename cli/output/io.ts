/** Streams, environment, working folder and arguments of one run. Commands use nothing else of the process. */
import { homedir, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { CliError } from '../lib/cli-error.js'
import { readHead, type StreamHead } from '../lib/read-head.js'
import { RunCleanup } from '../lib/signals.js'
import { type Env, isSet, wantsColor } from './color.js'
import { openControllingTerminal, prompt, type Terminal } from './prompt.js'
import { toSafeLines, toSingleLine } from './sanitize.js'
import { syncFile, toWriteError, writeAll } from './write-all.js'

export interface IoSource {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  env: Env
  /** Arguments of the program, without node and the script. */
  argv: string[]
  /** Whether each stream is a terminal. */
  isTTY: { stdin: boolean; stdout: boolean; stderr: boolean }
  /** Base of relative paths. Default: the working folder of the process. */
  cwd?: string
  /**
   * True when the streams belong to this process and it runs nothing else. Child processes then inherit the streams,
   * and prompts may use the controlling terminal.
   */
  ownsProcess?: boolean
}

/** Global flags that affect output and prompts. */
export interface IoFlags {
  quiet?: boolean | undefined
  /** `auto`, `always` or `never`. */
  color?: string | undefined
  /** False: never prompt. */
  input?: boolean | undefined
}

/** Descriptor of stdout. */
const STDOUT = 1
/** SGR codes of terminals. */
const COLORS = { red: 31, green: 32, yellow: 33 }
export type Color = keyof typeof COLORS

/** State of a run, shared by all Io objects of it. */
interface RunState {
  /** Name of the content of stdin, such as `the password`. Undefined until it is read. */
  stdinContent: string | undefined
  /** True while stderr shows a line that the next output replaces. */
  hasStatusLine: boolean
  exitCode: number
  cleanup: RunCleanup
  /** Texts of `warnOnce`. */
  warnings: Set<string>
}

export function createIo(source: IoSource, flags: IoFlags = {}): Io {
  return new Io(source, flags, {
    stdinContent: undefined,
    hasStatusLine: false,
    exitCode: 0,
    cleanup: new RunCleanup(),
    warnings: new Set(),
  })
}

/**
 * stdout carries results only. Notes, warnings and prompts go to stderr. Each stream is checked separately for a
 * terminal.
 */
export class Io {
  readonly env: Env
  /** Arguments of the program. */
  readonly argv: string[]
  readonly isTty: IoSource['isTTY']
  readonly ownsProcess: boolean
  /** True when stdin and stderr are terminals and prompts are allowed. */
  readonly canPrompt: boolean
  /** True when a line on stderr can be redrawn. */
  readonly canRedraw: boolean
  /** True when stderr can show a QR code. */
  readonly canDraw: boolean
  readonly isColored: boolean
  readonly #isStdoutColored: boolean
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
    this.#isStdoutColored = wantsColor(flags.color ?? 'auto', isTTY.stdout, env)
  }

  /** Returns an Io with the same streams and state and other global flags. */
  withFlags(flags: IoFlags): Io {
    return new Io(this.source, flags, this.state)
  }

  /** Base of relative paths. */
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

  /** Callbacks for the end of the run. */
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
    this.#writeLine(`${paint('red', 'error:', this.isColored)} ${toSingleLine(message)}`)
  }

  hint(message: string): void {
    this.#writeLine(`hint: ${toSingleLine(message)}`)
  }

  warn(message: string): void {
    if (!this.#isQuiet) this.#writeLine(`${paint('yellow', 'warning:', this.isColored)} ${toSingleLine(message)}`)
  }

  /** Warns unless this run gave the same warning before. */
  warnOnce(message: string): void {
    if (!this.state.warnings.has(message)) this.warn(message)
    this.state.warnings.add(message)
  }

  note(message: string): void {
    if (!this.#isQuiet) this.#writeLine(toSingleLine(message))
  }

  /** Writes to stderr, also with --quiet. */
  writeErr(text: string): void {
    this.redraw('')
    this.stderr.write(text)
  }

  /** Replaces the current line on stderr; '' clears it. */
  redraw(text: string): void {
    if (this.state.hasStatusLine || text !== '') this.stderr.write(`\r\x1b[K${text}`)
    this.state.hasStatusLine = text !== ''
  }

  /**
   * Writes to stdout: bytes unchanged, a text without what could control a terminal or forge a line. Resolves when all
   * bytes are written. Throws CliError `not_written`.
   */
  async write(data: string | Uint8Array): Promise<void> {
    const safe = typeof data === 'string' ? toSafeLines(data) : data
    try {
      if (this.#hasStdoutFile) return await writeAll(STDOUT, safe)
      await new Promise<void>((done, reject) => {
        this.stdout.write(safe, (error) => (error ? reject(error) : done()))
      })
    } catch (error) {
      throw toWriteError(error, 'to stdout')
    }
  }

  /** Writes a line of JSON to stdout. Throws as `write`. */
  writeJson(document: unknown): Promise<void> {
    return this.write(`${JSON.stringify(document)}\n`)
  }

  /** Writes the document of --json, or the text for people and scripts. Throws as `write`. */
  writeResult({ json }: { json?: true | undefined }, document: unknown, text: string): Promise<void> {
    return json ? this.writeJson(document) : this.write(text)
  }

  /** Flushes stdout to the disk if it is a file. Throws CliError `not_written`. */
  async flush(): Promise<void> {
    if (!this.#hasStdoutFile) return
    await syncFile(STDOUT).catch((error) => {
      throw toWriteError(error, 'to stdout')
    })
  }

  /** True for files, pipes and devices other than terminals. */
  get #hasStdoutFile(): boolean {
    return this.ownsProcess && !this.isTty.stdout
  }

  /** Returns a safe text for stdout in a color, if stdout is colored. Color must not carry meaning of its own. */
  paintResult(color: Color, text: string): string {
    return paint(color, text, this.#isStdoutColored)
  }

  /** Returns all of stdin, or null when it is longer than `maxBytes`. `what` names the content in messages. */
  async readStdin(what: string, maxBytes: number): Promise<Buffer | null> {
    const { bytes, rest } = await this.readStdinHead(what, maxBytes)
    if (rest) this.stdin.destroy()
    return rest ? null : bytes
  }

  /** Returns all of stdin, or its head and a stream of the rest when it is longer than `maxBytes`. */
  async readStdinHead(what: string, maxBytes: number): Promise<StreamHead> {
    this.#claimStdin(what)
    return readHead(this.stdin, maxBytes)
  }

  /** Returns stdin as a stream. */
  streamStdin(what: string): AsyncIterable<Buffer> {
    this.#claimStdin(what)
    return this.stdin
  }

  /** Asks yes or no; Enter means `fallback`. */
  confirm(message: string, fallback: boolean): Promise<boolean> {
    return prompt(this.#terminal(), { type: 'confirm', message, default: fallback }, this.isColored)
  }

  /** Asks on a terminal, unless --yes was given. Throws `refusal` for a no. */
  async requireConfirmation(
    message: string,
    fallback: boolean,
    { yes }: { yes?: true },
    refusal: CliError,
  ): Promise<void> {
    if (!yes && this.canPrompt && !(await this.confirm(message, fallback))) throw refusal
  }

  /** Asks for one of several choices; `fallback` is preselected. */
  select<T extends string>(message: string, choices: { value: T; name: string }[], fallback: T): Promise<T> {
    return prompt(this.#terminal(), { type: 'select', message, choices, default: fallback }, this.isColored)
  }

  promptText(message: string, fallback: string): Promise<string> {
    return prompt(this.#terminal(), { type: 'input', message, default: fallback }, this.isColored)
  }

  /**
   * Asks for a password, key or link without echo; on /dev/tty when stdin carries other content.
   * Throws CliError `usage` with `hint` without a terminal.
   */
  async promptHidden(what: string, hint: string): Promise<string> {
    const terminal = this.#openTerminal()
    if (!terminal) throw new CliError('usage', `missing ${what}, and no terminal to ask on`, hint)
    const message = `${what.charAt(0).toUpperCase()}${what.slice(1)}:`
    return prompt(terminal, { type: 'password', message, toggleMask: false }, this.isColored)
  }

  /** True when `promptHidden` can prompt. */
  canPromptHidden(): boolean {
    const terminal = this.#openTerminal()
    terminal?.close()
    return terminal !== null
  }

  #writeLine(text: string): void {
    this.writeErr(`mayfly: ${text}\n`)
  }

  /** Throws CliError `usage` when stdin is already used for other content, or is a terminal and prompts are off. */
  #claimStdin(what: string): void {
    if (this.state.stdinContent)
      throw new CliError('usage', `stdin cannot be both ${this.state.stdinContent} and ${what}`)
    this.state.stdinContent = what
    if (!this.isTty.stdin) return
    // Without prompts there is no input, so this would wait forever.
    if (!this.canPrompt) throw new CliError('usage', `${what} must come from stdin, but stdin is a terminal`)
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

const paint = (color: Color, text: string, isColored: boolean): string =>
  isColored ? `\x1b[${COLORS[color]}m${text}\x1b[0m` : text

/** Returns the absolute path of a path argument. */
export const resolvePath = (io: Io, path: string): string => resolve(io.cwd, path)

/** Returns the home folder of the user, or ''. */
export function homeFolder({ env }: Io): string {
  if (env.HOME !== undefined) return env.HOME
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** Returns the folder for temporary files. */
export const temporaryFolder = ({ env }: Io): string => env.TMPDIR || tmpdir()
