/** `mayfly audit`. */
import type { AuditFilter } from '#core'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { withLocalApp } from '../../instance/local-app.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, parsePage } from '../parse-page.js'

export interface AuditFlags extends InstanceFlags, ListFlags, PageFlags {
  action?: string
  actor?: string
  subject?: string
  since?: string
  until?: string
}

const COLUMNS = ['at', 'action', 'actor', 'subject', 'address', 'detail']
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/

export async function showAudit(flags: AuditFlags & GlobalFlags, io: Io): Promise<void> {
  const page = parsePage(flags)
  const filter = buildFilter(flags, Date.now())
  await withLocalApp(flags, io, async ({ storage }) => {
    const entries = await storage.audit.list(filter, page)
    const rows = entries.map(({ id, at, action, actor, subject, address, detail }) => {
      return { id, at: formatTime(at), action, actor, subject, address, detail }
    })
    await io.write(formatList(rows, COLUMNS, flags, io))
  })
}

function buildFilter({ action, actor, subject, since, until }: AuditFlags, now: number): AuditFilter {
  return {
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actor }),
    ...(subject === undefined ? {} : { subject }),
    ...(since === undefined ? {} : { since: parseTime('--since', since, now) }),
    ...(until === undefined ? {} : { until: parseTime('--until', until, now) }),
  }
}

/** Returns epoch ms of a date or of a duration ago. Throws CliError `usage`. */
function parseTime(flag: string, text: string, now: number): number {
  if (/^\d+[smhdw]$/.test(text)) return now - parseDuration(flag, text) * 1000
  const at = TIME.test(text)
    ? Date.parse(/T.*(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`)
    : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new CliError('usage', `${flag} is not a time`, 'use 2026-01-31, 2026-01-31T12:00:00Z, or 7d for seven days ago')
}
