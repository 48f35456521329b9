/**
 * The only file that touches the process's streams and its terminal.
 * stdout carries results and nothing else; notes, warnings and prompts go to stderr; each stream is judged apart.
 */
import { openSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'
import { CliError, EXIT } from './errors.js'
import { type Head, headOf } from './stdin.js'
import { oneLine } from './text.js'

export type Io = ReturnType<typeof createIo>

interface Options {
  quiet?: boolean | undefined
  color?: string | undefined
  /** False: never ask. */
  input?: boolean | undefined
}

/** Streams for prompts. */
interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  close(): void
}

const RED = 31
const YELLOW = 33

export function createIo({ quiet = false, color = 'auto', input = true }: Options = {}) {
  const { stdin, stdout, stderr } = process
  const isTty = { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true }
  const mayAsk = input && !isSet('CI') && !isSet('MAYFLY_NO_INPUT')
  const isColored = wantsColor(color, isTty.stderr)
  const canRedraw = isTty.stderr && !quiet && process.env.TERM !== 'dumb' && !isSet('MAYFLY_ACCESSIBLE')
  // Inquirer decides by the environment; this is how it hears of --color and of streams other than stdout.
  process.env[isColored ? 'FORCE_COLOR' : 'NO_COLOR'] = '1'
  let consumer: string | undefined

  const paint = (code: number, text: string) => (isColored ? `\x1b[${code}m${text}\x1b[0m` : text)
  let isDrawn = false
  const redraw = (text: string) => {
    if (isDrawn || text !== '') stderr.write(`\r\x1b[K${text}`)
    isDrawn = text !== ''
  }
  const line = (text: string) => {
    redraw('')
    stderr.write(`mayfly: ${text}\n`)
  }
  const canAsk = mayAsk && isTty.stdin && isTty.stderr
  const claim = (what: string) => {
    if (consumer) throw new CliError('usage', `stdin cannot be both ${consumer} and ${what}`)
    consumer = what
    if (!isTty.stdin) return
    // Else it would wait for what nobody knows of.
    if (!canAsk) throw new CliError('usage', `${what} is expected on stdin, and that is a terminal`)
    redraw('')
    stderr.write(`Type or paste ${what}, end with Ctrl-D:\n`)
  }

  return {
    /** What the program was called with. */
    args: process.argv.slice(2),
    isTty,
    /** True where a line can be drawn over again. */
    canRedraw,
    /** True where a picture can be shown to somebody. */
    canDraw: isTty.stderr && !isSet('CI') && process.env.TERM !== 'dumb',
    /** A line on stderr that takes the place of the one before; '' takes it away. */
    redraw,
    /** True when questions can be asked on stdin and stderr. */
    canAsk,
    error: (message: string) => line(`${paint(RED, 'error:')} ${oneLine(message)}`),
    hint: (message: string) => line(`hint: ${oneLine(message)}`),
    warn: (message: string) => {
      if (!quiet) line(`${paint(YELLOW, 'warning:')} ${oneLine(message)}`)
    },
    note: (message: string) => {
      if (!quiet) line(oneLine(message))
    },
    /** On stderr, whatever else is silenced. */
    tell: (text: string) => {
      redraw('')
      stderr.write(text)
    },

    /** Resolves when it has been handed over; rejects when the reader has gone. */
    write: (data: string | Uint8Array) =>
      new Promise<void>((resolve, reject) => stdout.write(data, (error) => (error ? reject(error) : resolve()))),

    /** All of stdin; null as soon as there are more than `maxBytes`. `what` is read, for the message when two things want it. */
    async read(what: string, maxBytes: number): Promise<Buffer | null> {
      claim(what)
      const { bytes, rest } = await headOf(stdin, maxBytes)
      if (rest) stdin.destroy()
      return rest ? null : bytes
    },

    /** All of stdin, or as soon as there are more than `maxBytes` what there is, and then the rest as it comes. */
    async readHead(what: string, maxBytes: number): Promise<Head> {
      claim(what)
      return headOf(stdin, maxBytes)
    },

    /** stdin as it comes. */
    stream(what: string): AsyncIterable<Buffer> {
      claim(what)
      return stdin
    },

    /** Yes or no; `fallback` is what Enter means. */
    async confirm(message: string, fallback: boolean): Promise<boolean> {
      return ask({ input: stdin, output: stderr, close() {} }, { type: 'confirm', message, default: fallback })
    },

    /** One of several; `fallback` is chosen at first. */
    async choose<T extends string>(message: string, choices: { value: T; name: string }[], fallback: T): Promise<T> {
      return ask({ input: stdin, output: stderr, close() {} }, { type: 'select', message, choices, default: fallback })
    },

    async ask(message: string, fallback: string): Promise<string> {
      return ask({ input: stdin, output: stderr, close() {} }, { type: 'input', message, default: fallback })
    },

    /**
     * A password, key or link, typed unseen; also on /dev/tty when stdin carries something else.
     * Throws CliError `usage` with `hint` when nobody can be asked.
     */
    async askHidden(what: string, hint: string): Promise<string> {
      const terminal = mayAsk ? openTerminal(isTty.stdin && isTty.stderr) : null
      if (!terminal) throw new CliError('usage', `a ${what} is needed, and nobody can be asked`, hint)
      return ask(terminal, {
        type: 'password',
        message: `${what.charAt(0).toUpperCase()}${what.slice(1)}:`,
        toggleMask: false,
      })
    },

    /** True when `askHidden` can ask. */
    canAskHidden(): boolean {
      const terminal = mayAsk ? openTerminal(isTty.stdin && isTty.stderr) : null
      terminal?.close()
      return terminal !== null
    },
  }
}

/** Prints without a command: help and version. */
export const print = (text: string): void => void process.stdout.write(text)

/** A reader that went away (`mayfly help | head -1`) ends the program without a word. */
export function endOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(EXIT.unexpected)
      throw error
    })
  }
}

/** Loads inquirer, which every command without a question does without. */
async function ask<T>(terminal: Terminal, question: Record<string, unknown>): Promise<T> {
  const { default: inquirer } = await import('inquirer')
  try {
    const prompt = inquirer.createPromptModule({ input: terminal.input, output: terminal.output })
    return (await prompt([{ ...question, name: 'answer' }] as never)).answer
  } finally {
    terminal.close()
  }
}

/** stdin and stderr when both are terminals; else the terminal that the process was started from, if there is one. */
function openTerminal(isUsual: boolean): Terminal | null {
  if (isUsual) return { input: process.stdin, output: process.stderr, close() {} }
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r'))
    const output = new WriteStream(openSync('/dev/tty', 'w'))
    const close = () => {
      input.destroy()
      output.destroy()
    }
    return { input, output, close }
  } catch {
    return null
  }
}

/** NO_COLOR (no-color.org), CLICOLOR_FORCE and FORCE_COLOR, TERM=dumb; a flag beats them all. */
function wantsColor(flag: string, isTty: boolean): boolean {
  if (flag === 'always' || flag === 'never') return flag === 'always'
  if (isSet('NO_COLOR')) return false
  if (isSet('FORCE_COLOR') || isSet('CLICOLOR_FORCE')) return process.env.FORCE_COLOR !== '0'
  return isTty && process.env.TERM !== 'dumb' && !isSet('CI')
}

const isSet = (name: string): boolean => (process.env[name] ?? '') !== ''
