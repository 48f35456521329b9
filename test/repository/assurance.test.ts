/** docs/assurance.md names tests that exist, and tests name ids that it contains. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesEnding, parse, ROOT } from '#test/source-files'
import { ALL_ROWS, ID_ROWS, renderAssurance } from './assurance/render.js'

const PAGE = 'docs/assurance.md'
const ID = /\b(?:SEC|REL|CRY)-\d+\b/g
/** Ids without gaps, so that no row can disappear. */
const LAST = { SEC: 46, REL: 24, CRY: 14 }

// `npx vitest run test/repository/assurance.test.ts -u` rewrites the tables.
test('docs/assurance.md contains every row', async () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  const place = /(<!-- rows\b[^>]*-->\n)[\s\S]*?(<!-- \/rows -->)/
  expect(page).toMatch(place)
  const expected = page.replace(place, (_, before, after) => `${before}\n${renderAssurance()}\n\n${after}`)
  await expect(expected).toMatchFileSnapshot(join(ROOT, PAGE))
})

test('the ids have no gaps', () => {
  const expected = Object.entries(LAST).flatMap(([kind, last]) =>
    Array.from({ length: last }, (_, index) => `${kind}-${String(index + 1).padStart(2, '0')}`),
  )
  expect(ID_ROWS.map(({ id }) => id)).toEqual(expected)
})

test('every row has a test or says why not', () => {
  const isEmpty = ({ tests = [], see = [], limit }: (typeof ALL_ROWS)[number]) =>
    tests.length + see.length === 0 && limit === undefined
  expect(ALL_ROWS.filter(isEmpty).map(({ id }) => id)).toEqual([])
})

test('every named test exists', () => {
  const problems = ALL_ROWS.flatMap(({ id, tests = [] }) =>
    tests.flatMap(([file, ...titles]) => {
      if (!existsSync(join(ROOT, file))) return [`${id}: no file ${file}`]
      const known = titlesOf(file)
      return titles.filter((title) => !known.has(title)).map((title) => `${id}: no test "${title}" in ${file}`)
    }),
  )
  expect(problems).toEqual([])
})

test('every named row and every id in the sources is in the table', () => {
  const ids = new Set(ID_ROWS.map(({ id }) => id))
  const named = ALL_ROWS.flatMap(({ see = [] }) => see)
  const sources = filesEnding('.ts', '.tsx').filter((path) => !path.startsWith('test/repository/assurance'))
  const mentioned = sources.flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(ID) ?? [])
  expect([...named, ...mentioned].filter((id) => !ids.has(id))).toEqual([])
  expect(mentioned.length).toBeGreaterThan(5)
})

const cache = new Map<string, Set<string>>()

/** Titles of tests and suites as they stand in the file, with … for an expression, and the names of rules that a table of tests lists. Skipped tests have none. */
function titlesOf(path: string): Set<string> {
  const known = cache.get(path)
  if (known) return known
  const titles = new Set<string>()
  const visit = (node: ts.Node) => {
    for (const title of titleOf(node)) titles.add(title)
    ts.forEachChild(node, visit)
  }
  visit(parse(path))
  cache.set(path, titles)
  return titles
}

function titleOf(node: ts.Node): string[] {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'rule') return textOf(node.initializer)
  if (!ts.isCallExpression(node) || !isTestFunction(node.expression)) return []
  return node.arguments[0] ? textOf(node.arguments[0]) : []
}

/** `test`, `describe.concurrent`, `test.each(…)`, `testEachEngine`, but not `test.skip`. */
function isTestFunction(expression: ts.Expression): boolean {
  const called = ts.isCallExpression(expression) ? expression.expression : expression
  return /^(test|describe|testEachEngine)(\.(each|for|concurrent))*$/.test(called.getText().replace(/<.*>$/s, ''))
}

function textOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  return ts.isTemplateExpression(node)
    ? [
        node
          .getText()
          .slice(1, -1)
          .replace(/\$\{\w+\}/g, '…'),
      ]
    : []
}
