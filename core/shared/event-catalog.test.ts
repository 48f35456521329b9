/** The docs of the facts follow the catalog. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { auditLevel, findFact, listAuditActions, listFacts, subjectOf } from './event-catalog.js'

const read = (page: string) => readFileSync(`docs/${page}`, 'utf8')

describe('docs/webhooks.md', () => {
  const rows = [...read('webhooks.md').matchAll(/^\| `([a-z.]+\.[a-z_]+)` \| ([^|]*) \|/gm)]
  const documented = new Map(rows.map(([, name = '', data = '']) => [name, data.replaceAll('`', '').split(' ')]))

  test.each(listFacts('operator'))('%s: lists its fields in their order', (name) => {
    expect(documented.get(name)).toEqual(Object.keys(findFact(name)?.data ?? {}))
  })
})

test('docs/plugins.md names each fact that plugins listen to', () => {
  const page = read('plugins.md')
  expect(listFacts('listener').filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('docs/administration.md names each action of the audit log', () => {
  const table = read('administration.md').match(/\| actions \| about \|\n[\s\S]*?\n\n/)?.[0] ?? ''
  const named = table.split('\n').flatMap((row) => {
    let noun = ''
    return [...(row.split(' | ')[0] ?? '').matchAll(/`([a-z_]*)\.([a-z_]+)`/g)].map(([, first, verb]) => {
      noun = first || noun
      return `${noun}.${verb}`
    })
  })
  expect([...named].sort()).toEqual(listAuditActions().sort())
})

test('the subject of a durable event has the id of the subject of the fact', () => {
  const data = {
    requestId: 'ö',
    ownerId: null,
    secretId: 'ü',
    submissions: 1,
    submissionsLeft: 0,
    files: 0,
    notify: false,
  }
  expect(subjectOf({ name: 'request.submitted', data })).toBe('request:ö')
})

test('an unknown name, such as a property of every object, does not have an audit level', () => {
  expect(auditLevel('toString')).toBeUndefined()
})
