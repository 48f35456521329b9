/** Renders docs/assurance.md. */
import { ASVS_ROWS, NOT_APPLICABLE } from './asvs-rows.js'
import { CRYPTOGRAPHY_ROWS } from './cryptography-rows.js'
import { RELIABILITY_ROWS } from './reliability-rows.js'
import type { Row } from './row.js'
import { SECURITY_ROWS } from './security-rows.js'

export const ID_ROWS: Row[] = [...SECURITY_ROWS, ...RELIABILITY_ROWS, ...CRYPTOGRAPHY_ROWS]
export const ALL_ROWS: Row[] = [...ID_ROWS, ...ASVS_ROWS]

/** The tables of the page, each below its heading, and the number of rows by status. */
export function renderAssurance(): string {
  const counts = ['proven', 'in part', 'not tested'].map(
    (status) => `${ALL_ROWS.filter((row) => statusOf(row) === status).length} ${status}`,
  )
  return [
    `${ALL_ROWS.length} rows: ${counts.join(', ')}.`,
    section('Security', SECURITY_ROWS),
    section('Reliability', RELIABILITY_ROWS),
    section('Cryptography', CRYPTOGRAPHY_ROWS),
    section('OWASP ASVS 5.0.0, level 2', ASVS_ROWS),
    NOT_APPLICABLE,
  ].join('\n\n')
}

function statusOf({ tests = [], see = [], limit }: Row): string {
  if (tests.length + see.length === 0) return 'not tested'
  return limit === undefined ? 'proven' : 'in part'
}

function section(title: string, rows: Row[]): string {
  const head = ['| id | promise | status | tests | limits |', '|---|---|---|---|---|']
  return [`## ${title}`, '', ...head, ...rows.map(renderRow)].join('\n')
}

function renderRow(row: Row): string {
  const { id, promise, tests = [], see = [], limit = '' } = row
  const links = tests.map(([file, ...titles]) => `[${file}](../${file}): ${titles.map(quote).join(', ')}`)
  const references = see.length > 0 ? [`see ${see.join(', ')}`] : []
  const cells = [id, promise, statusOf(row), [...links, ...references].join('<br>'), limit]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** A title may contain backticks and `<`. */
const quote = (title: string): string => (title.includes('`') ? `"${title}"` : `\`${title}\``)
