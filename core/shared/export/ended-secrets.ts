/** Exports of ended secrets: CSV with a header, or a JSON object per line. The server and the command line share it. */
import type { EndedSecret, ExportEndedSecrets } from '../api/index.js'
import type { EpochMs } from '../epoch-ms.js'
import { formatCsvLine } from './csv.js'

/** In the order of the columns. */
export const ENDED_SECRET_COLUMNS = [
  'id',
  'state',
  'ended_at',
  'created_at',
  'kind',
  'views',
  'views_limit',
  'has_password',
  'files',
] as const

/** A row with times as ISO 8601. `views_limit`: null for unlimited. */
export const toEndedSecretRow = (secret: EndedSecret) => ({
  id: secret.id,
  state: secret.state,
  ended_at: formatTime(secret.endedAt),
  created_at: formatTime(secret.createdAt),
  kind: secret.kind,
  views: secret.views,
  views_limit: secret.maxViews,
  has_password: secret.passwordRequired,
  files: secret.files,
})

/** The first line of an export, and a function that formats secrets. `toExtra` adds columns after the others. */
export function formatEndedSecrets(
  format: ExportEndedSecrets['format'],
  extraColumns: string[] = [],
  toExtra: (secret: EndedSecret) => Record<string, string | null> = () => ({}),
): { header: string; format(secrets: EndedSecret[]): string } {
  const toRow = (secret: EndedSecret) => ({ ...toEndedSecretRow(secret), ...toExtra(secret) })
  if (format === 'ndjson') {
    return { header: '', format: (secrets) => secrets.map((secret) => `${JSON.stringify(toRow(secret))}\n`).join('') }
  }
  return {
    header: formatCsvLine([...ENDED_SECRET_COLUMNS, ...extraColumns]),
    format: (secrets) => secrets.map((secret) => formatCsvLine(Object.values(toRow(secret)))).join(''),
  }
}

/** `2026-11-22T04:00:00Z`. */
const formatTime = (at: EpochMs): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
