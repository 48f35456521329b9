/** `mayfly audit`. */
import type { AuditEntry } from '#core'
import { findNearest } from '#shared/edit-distance'
import type { EpochMs } from '#shared/epoch-ms'
import { auditLevel, listAuditActions } from '#shared/event-catalog'
import { formatCsvLine } from '#shared/export/csv'
import { TAKE_MAX } from '#shared/limits'
import type { Administration, AuditQuery } from '../../instance/administration.js'
import { type AdminFlags, withAdministration } from '../../instance/with-administration.js'
import { CliError } from '../../lib/cli-error.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { parseDuration } from '../../output/duration.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, parsePage } from '../parse-page.js'

export interface AuditFlags extends AdminFlags, ListFlags, PageFlags {
  action?: string
  actor?: string
  subject?: string
  since?: string
  until?: string
  all?: true
  csv?: true
}

/** Maximum edit distance of a suggestion. */
const NEAR_ACTION = 4
const COLUMNS = ['at', 'action', 'actor', 'subject', 'address', 'detail']
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/

export async function showAudit(flags: AuditFlags & GlobalFlags, io: Io): Promise<void> {
  const page = parsePage(flags)
  const now = Date.now()
  const filter = buildFilter(flags, now)
  if (flags.csv && flags.json) throw new CliError('usage', '--csv and --json exclude each other')
  await withAdministration(flags, io, async (administration) => {
    // Entries that are added meanwhile would move the pages.
    const pages = flags.all
      ? readPages(administration, { until: now, ...filter })
      : [await administration.listAudit(filter, page)]
    if (flags.csv) return writeCsv(pages, io)
    const rows: ReturnType<typeof toRow>[] = []
    for await (const entries of pages) rows.push(...entries.map(toRow))
    await io.write(formatList(rows, COLUMNS, flags, io))
  })
}

function toRow({ id, at, action, actor, subject, address, detail }: AuditEntry) {
  return { id, at: formatTime(at), action, actor, subject, address, detail }
}

async function* readPages(administration: Administration, filter: AuditQuery): AsyncGenerator<AuditEntry[]> {
  for (let skip = 0; ; skip += TAKE_MAX) {
    const entries = await administration.listAudit(filter, { skip, take: TAKE_MAX })
    if (entries.length > 0) yield entries
    if (entries.length < TAKE_MAX) return
  }
}

/** RFC 4180 with a header. `detail` is JSON. */
async function writeCsv(pages: AsyncIterable<AuditEntry[]> | AuditEntry[][], io: Io): Promise<void> {
  await io.write(formatCsvLine(['id', ...COLUMNS]))
  for await (const entries of pages) {
    const lines = entries.map(toRow).map(({ detail, ...facts }) => [...Object.values(facts), JSON.stringify(detail)])
    await io.write(lines.map(formatCsvLine).join(''))
  }
}

/** A misspelled action would look like an action that never happened. */
function checkAction(action: string | undefined): void {
  if (action === undefined || auditLevel(action)) return
  const near = findNearest(action, listAuditActions(), NEAR_ACTION)
  throw new CliError('usage', 'unknown action', near ? `did you mean ${near}?` : 'see docs/administration.md')
}

function buildFilter({ action, actor, subject, since, until }: AuditFlags, now: number): AuditQuery {
  checkAction(action)
  return omitUndefined({
    action,
    actor,
    subject,
    since: since === undefined ? undefined : parseTime('--since', since, now),
    until: until === undefined ? undefined : parseTime('--until', until, now),
  })
}

/** Returns the time of a date or of a duration ago. Throws CliError `usage`. */
function parseTime(flag: string, text: string, now: EpochMs): EpochMs {
  if (/^\d+[smhdw]$/.test(text)) return now - parseDuration(flag, text) * 1000
  const at = TIME.test(text)
    ? Date.parse(/T.*(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`)
    : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new CliError('usage', `${flag} is not a time`, 'use 2026-01-31, 2026-01-31T12:00:00Z, or 7d for seven days ago')
}
