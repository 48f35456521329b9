/**
 * Combines the log lines that a process writes at nearly the same time: a write to a pipe or file blocks the process.
 */
import type { LogLevel } from '#core/runtime'

/**
 * Returns a function that passes lines to `write` in one piece: at once with a warning or an error, after which the
 * process may be killed; else in the next turn of the event loop, or when the process exits.
 */
export function bufferLines(write: (text: string) => void): (line: string, level: LogLevel) => void {
  let buffered = ''
  const flush = () => {
    if (buffered === '') return
    process.off('exit', flush)
    const text = buffered
    buffered = ''
    write(text)
  }
  return (line, level) => {
    if (buffered === '') {
      setImmediate(flush)
      process.on('exit', flush)
    }
    buffered += line
    if (level === 'warn' || level === 'error') flush()
  }
}
