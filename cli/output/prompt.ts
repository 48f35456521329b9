/** Questions on a terminal, by inquirer. */
import { openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { ReadStream, WriteStream } from 'node:tty'

/** Streams for questions. */
export interface Terminal {
  input: Readable
  output: Writable
  close(): void
}

/** Loads inquirer, which commands without questions do not need. */
export async function prompt<T>(terminal: Terminal, question: Record<string, unknown>, isColored: boolean): Promise<T> {
  const restore = setColorVariable(isColored)
  try {
    const { default: inquirer } = await import('inquirer')
    const { input, output } = terminal
    const ask = inquirer.createPromptModule({ input: input as NodeJS.ReadStream, output: output as NodeJS.WriteStream })
    return (await ask([{ ...question, name: 'answer' }] as never)).answer
  } finally {
    restore()
    terminal.close()
  }
}

/** The terminal that the process was started from; null when there is none. */
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

/** inquirer takes its colors from `util.styleText`, which knows only the environment and stdout. Returns how to undo it. */
function setColorVariable(isColored: boolean): () => void {
  const name = isColored ? 'FORCE_COLOR' : 'NO_COLOR'
  const before = process.env[name]
  process.env[name] = '1'
  return () => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}
