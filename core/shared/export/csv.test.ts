import { expect, test } from 'vitest'
import type { EndedSecret } from '../api/index.js'
import { formatCsvLine } from './csv.js'
import { formatEndedSecrets } from './ended-secrets.js'

test('cells with commas, quotes and line breaks are quoted', () => {
  expect(formatCsvLine(['ä', 'a,b', 'say "é"', 'one\r\ntwo', 7, true, null])).toBe(
    'ä,"a,b","say ""é""","one\r\ntwo",7,true,\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx', '=1\n2', '\0=1'])(
  'the cell %j is escaped, so it is not a formula',
  (cell) => {
    expect(formatCsvLine([cell])).toBe(`"'${cell.replace('\0', '')}"\r\n`)
  },
)

test('control characters are removed from cells', () => {
  expect(formatCsvLine(['a\u001b[2Jä\u0000\u0085b', null])).toBe('a[2Jäb,\r\n')
})

test('numbers below zero stay numbers', () => {
  expect(formatCsvLine([-1])).toBe('-1\r\n')
})

test('added columns come last in every format', () => {
  const secret: EndedSecret = {
    id: 'A'.repeat(22),
    kind: 'sealed',
    state: 'burned',
    createdAt: 0,
    endedAt: 1500,
    views: 0,
    maxViews: null,
    passwordRequired: false,
    files: 0,
  }
  const csv = formatEndedSecrets('csv', ['label'], () => ({ label: '=röuter' }))
  expect(csv.header).toMatch(/,files,label\r\n$/)
  expect(csv.format([secret])).toMatch(/,1970-01-01T00:00:00Z,sealed,0,,false,0,"'=röuter"\r\n$/)
  const { header, format } = formatEndedSecrets('ndjson', ['label'], () => ({ label: null }))
  expect(header + format([secret])).toMatch(/"views_limit":null,.*"label":null}\n$/)
})
