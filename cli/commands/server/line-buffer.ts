/** Combines the log lines that a process writes at nearly the same time: a write to a pipe or file blocks the process. */

/**
 * Returns a function that passes lines to `write` in one piece, in the next turn of the event loop at the latest and when the
 * process exits.
 */
export function bufferLines(write: (text: string) => void): (line: string) => void {
  let buffered = ''
  const flush = () => {
    if (buffered === '') return
    process.off('exit', flush)
    const text = buffered
    buffered = ''
    write(text)
  }
  return (line) => {
    if (buffered === '') {
      setImmediate(flush)
      process.on('exit', flush)
    }
    buffered += line
  }
}
