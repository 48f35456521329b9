/** Log lines. They never contain secrets: callers pass single fields, never a whole request or error. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Record<string, string | number | boolean | string[] | null | undefined>
export type Log = Record<LogLevel, (msg: string, fields?: LogFields) => void>
export type LogFormat = 'text' | 'json'

const LEVELS: LogLevel[] = ['debug', 'info', 'warn', 'error']

/**
 * Format `json`: one object per line with `time`, `level`, `msg` and the fields. `text`: for people, without the time.
 */
export function createLog(level: LogLevel, format: LogFormat, write: (line: string, level: LogLevel) => void): Log {
  const line = format === 'json' ? jsonLine : textLine
  const log = (of: LogLevel) => (msg: string, fields?: LogFields) => {
    if (LEVELS.indexOf(of) >= LEVELS.indexOf(level)) write(`${line(of, msg, fields)}\n`, of)
  }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** A log without output. */
export const noLog: Log = createLog('error', 'json', () => {})

/** The class name of an error. Log this instead of the message, which may contain data of a user. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

function jsonLine(level: LogLevel, msg: string, fields?: LogFields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, msg, ...fields })
}

function textLine(level: LogLevel, msg: string, fields: LogFields = {}): string {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  // JSON escapes line ends and control characters, so no field can forge a line.
  const rest = known.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  return `${level === 'info' ? '' : `${level}: `}${JSON.stringify(msg).slice(1, -1)}${rest.join('')}`
}
