/** The documentation, the dashboard and the alerts name all metrics, and only existing ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from './metrics.js'

const DOCS = join(import.meta.dirname, '../../docs')
const read = (path: string) => readFileSync(join(DOCS, path), 'utf8')
const { text } = await createMetrics(() => null, { dataDir: '/nonexistent' }).read()
const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
/** Names of metrics in a text, without the suffix of histogram buckets. */
const named = (source: string) =>
  [...new Set(source.match(/\b(mayfly|nodejs|process)_[a-z0-9_]+\b/g) ?? [])].map((name) =>
    name.replace(/_bucket$/, ''),
  )

test.each(['monitoring.md', 'monitoring/dashboard.json', 'monitoring/alerts.yaml'])(
  '%s names only existing metrics',
  (path) => {
    const used = named(read(path)).filter((name) => !name.endsWith('_'))
    expect(used.length).toBeGreaterThan(4)
    expect(used.filter((name) => !names.includes(name))).toEqual([])
  },
)

test('monitoring.md documents each metric and each alert', () => {
  const page = read('monitoring.md')
  expect(names.filter((name) => name.startsWith('mayfly_') && !named(page).includes(name))).toEqual([])
  const { groups } = parse(read('monitoring/alerts.yaml')) as { groups: { rules: { alert: string }[] }[] }
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  expect([...page.matchAll(/^\| `(Mayfly\w+)`/gm)].map(([, alert]) => alert)).toEqual(alerts)
})

test('dashboard shows each metric', () => {
  const dashboard = read('monitoring/dashboard.json')
  expect(names.filter((name) => name.startsWith('mayfly_') && !named(dashboard).includes(name))).toEqual([])
  expect(() => JSON.parse(dashboard)).not.toThrow()
})
