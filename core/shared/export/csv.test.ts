import { expect, test } from 'vitest'
import type { EndedSecret } from '../api/index.js'
import { formatCsvLine } from './csv.js'
import { formatEndedSecrets } from './ended-secrets.js'

test('cells with commas, quotes and line breaks are quoted', () => {
  expect(formatCsvLine(['ä', 'a,b', 'say "é"', 'one\r\ntwo', 7, true, null])).toBe(
    'ä,"a,b","say ""é""","one\r\ntwo",7,true,\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx'])('a cell that begins as %j does is no formula', (cell) => {
  expect(formatCsvLine([cell])).toContain(`'${cell}`)
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
  expect(csv.format([secret])).toMatch(/,1970-01-01T00:00:00Z,sealed,0,,false,0,'=röuter\r\n$/)
  const { header, format } = formatEndedSecrets('ndjson', ['label'], () => ({ label: null }))
  expect(header + format([secret])).toMatch(/"views_limit":null,.*"label":null}\n$/)
})
