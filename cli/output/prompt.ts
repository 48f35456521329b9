/** Prompts on a terminal, with inquirer. */
import { openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { ReadStream, WriteStream } from 'node:tty'

/** Streams of a prompt. */
export interface Terminal {
  input: Readable
  output: Writable
  close(): void
}

/** A question in inquirer's notation. */
export interface Question {
  type: 'confirm' | 'select' | 'input' | 'password'
  message: string
  default?: unknown
  choices?: { value: string; name: string }[]
  toggleMask?: boolean
}

/** Shows one prompt and returns the answer. Loads inquirer at first use, because most commands don't prompt. */
export async function prompt<T>(terminal: Terminal, question: Question, isColored: boolean): Promise<T> {
  const restore = setColorVariable(isColored)
  try {
    const { default: inquirer } = await import('inquirer')
    const { input, output } = terminal
    const ask = inquirer.createPromptModule({ input: input as NodeJS.ReadStream, output: output as NodeJS.WriteStream })
    return (await ask([{ ...question, name: 'answer' }])).answer as T
  } finally {
    restore()
    terminal.close()
  }
}

/** Opens /dev/tty; null without a controlling terminal. */
export function openControllingTerminal(): Terminal | null {
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

/**
 * Sets the color variable for inquirer, whose `util.styleText` looks at the environment and stdout only. Returns a
 * restore function.
 */
function setColorVariable(isColored: boolean): () => void {
  const name = isColored ? 'FORCE_COLOR' : 'NO_COLOR'
  const before = process.env[name]
  process.env[name] = '1'
  return () => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}
