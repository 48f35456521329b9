/** Log lines on stderr: what happened, never what was shared. Callers pass fields one by one; whole requests and errors stay out. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Record<string, string | number | boolean | string[] | null | undefined>
export type Log = Record<LogLevel, (msg: string, fields?: LogFields) => void>
export type LogFormat = 'text' | 'json'

const LEVELS: LogLevel[] = ['debug', 'info', 'warn', 'error']

/** `json`: one object a line (`time level msg` and the fields). `text`: the same for people. */
export function createLog(level: LogLevel, format: LogFormat, write: (line: string) => void): Log {
  const line = format === 'json' ? jsonLine : textLine
  const log = (of: LogLevel) => (msg: string, fields?: LogFields) => {
    if (LEVELS.indexOf(of) >= LEVELS.indexOf(level)) write(`${line(of, msg, fields)}\n`)
  }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** A log that keeps silent. */
export const noLog: Log = createLog('error', 'json', () => {})

function jsonLine(level: LogLevel, msg: string, fields?: LogFields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })
}

function textLine(level: LogLevel, msg: string, fields: LogFields = {}): string {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  // JSON escapes line ends and control characters, so no field can forge a line.
  const rest = known.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  return `${level === 'info' ? '' : `${level}: `}${JSON.stringify(msg).slice(1, -1)}${rest.join('')}`
}
