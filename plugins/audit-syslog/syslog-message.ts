/** Formats audit entries as messages of RFC 5424. */
import type { AuditEntry } from '#core'

export const FACILITIES = {
  user: 1,
  daemon: 3,
  auth: 4,
  authpriv: 10,
  audit: 13,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
}

export type Facility = keyof typeof FACILITIES

const SEVERITY = { warning: 4, notice: 5 }
/** Limits of RFC 5424. */
const MAX = { host: 255, app: 48, id: 32 }

export interface Sender {
  facility: Facility
  host: string
  app: string
  pid: number
}

/** The message text is the entry as JSON. */
export function toSyslogMessage(entry: AuditEntry, { facility, host, app, pid }: Sender): string {
  const priority = FACILITIES[facility] * 8 + severityOf(entry.action)
  const time = new Date(entry.at).toISOString()
  const header = [time, field(host, MAX.host), field(app, MAX.app), pid, field(entry.action, MAX.id)]
  return `<${priority}>1 ${header.join(' ')} - ${JSON.stringify(entry)}`
}

const severityOf = (action: string): number =>
  /refused|limit|cross_site|wrong|locked|reused|dropped/.test(action) ? SEVERITY.warning : SEVERITY.notice

/** Printable ASCII without spaces; `-` when nothing is left. */
const field = (text: string, max: number): string => text.replace(/[^!-~]/g, '').slice(0, max) || '-'
