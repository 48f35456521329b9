import { formatCsvLine } from '#shared/export/csv'
import type { PersonLink } from './created-link.js'

/** The columns name, link, expires_at and, if there are receipts, receipt: as `mayfly secret create --to-file`. */
export function toCsv(people: PersonLink[]): string {
  const hasReceipts = people.some(({ secret }) => secret.receipt !== undefined)
  const receiptOf = (receipt: string | null) => (hasReceipts ? [receipt] : [])
  const rows = people.map(({ name, secret: { link, expiresAt, receipt } }) =>
    formatCsvLine([name, link, formatTime(expiresAt), ...receiptOf(receipt ?? null)]),
  )
  return [formatCsvLine(['name', 'link', 'expires_at', ...receiptOf('receipt')]), ...rows].join('')
}

/** Whole seconds, as in the command line. */
const formatTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
