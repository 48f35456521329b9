/** The page about monitoring, the dashboard and the alerts name the numbers that there are, and all of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from './metrics.js'

const DOCS = join(import.meta.dirname, '../../docs')
const read = (path: string) => readFileSync(join(DOCS, path), 'utf8')
const { text } = await createMetrics(() => null).read()
const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
/** What is named in a text, without what Prometheus adds to a histogram. */
const named = (source: string) =>
  [...new Set(source.match(/\b(mayfly|nodejs|process)_[a-z0-9_]+\b/g) ?? [])].map((name) =>
    name.replace(/_bucket$/, ''),
  )

test.each(['monitoring.md', 'monitoring/dashboard.json', 'monitoring/alerts.yaml'])('%s names no other', (path) => {
  const used = named(read(path)).filter((name) => !name.endsWith('_'))
  expect(used.length).toBeGreaterThan(4)
  expect(used.filter((name) => !names.includes(name))).toEqual([])
})

test('the page explains each of ours, and each alert', () => {
  const page = read('monitoring.md')
  expect(names.filter((name) => name.startsWith('mayfly_') && !named(page).includes(name))).toEqual([])
  const { groups } = parse(read('monitoring/alerts.yaml')) as { groups: { rules: { alert: string }[] }[] }
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  expect([...page.matchAll(/^\| `(Mayfly\w+)`/gm)].map(([, alert]) => alert)).toEqual(alerts)
})

test('the dashboard shows each of ours', () => {
  const dashboard = read('monitoring/dashboard.json')
  expect(names.filter((name) => name.startsWith('mayfly_') && !named(dashboard).includes(name))).toEqual([])
  expect(() => JSON.parse(dashboard)).not.toThrow()
})
