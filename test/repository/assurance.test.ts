/** docs/assurance.md lists the promises; titles of tests begin with the ids of the promises that they prove. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesEnding, parse, ROOT } from '#test/source-files'

const PAGE = join(ROOT, 'docs/assurance.md')
const PROMISE_ID = /\b(?:SEC|REL|CRY)-\d+\b/g
const ID = /(?:SEC|REL|CRY)-\d+|V\d+(?:\.\d+)*/
const IDS_OF_TITLE = new RegExp(`^(?:${ID.source})(?:, (?:${ID.source}))*(?=: )`)
/** Ids without gaps, so that no row can disappear. */
const LAST = { SEC: 56, REL: 29, CRY: 21 }

interface Row {
  ids: string[]
  /** Ids of other rows whose tests prove this one, and the number of its own tests. */
  tests: string[]
  limits: string
}

const page = readFileSync(PAGE, 'utf8')
const sources = filesEnding('.ts', '.tsx')
const counts = countTests()

// `npx vitest run test/repository/assurance.test.ts -u` rewrites the numbers.
test('docs/assurance.md has the number of tests of each promise', async () => {
  const expected = page.replace(rowPattern(), (line, ids: string) => {
    const count = ids.split(', ').reduce((sum, id) => sum + (counts.get(id) ?? 0), 0)
    return line.replace(/(?<=\| |, )\d+(?= \|)/, String(count))
  })
  await expect(expected).toMatchFileSnapshot(PAGE)
  expect(page.length).toBeLessThan(25_000)
})

test('the ids have no gaps', () => {
  const expected = Object.entries(LAST).flatMap(([kind, last]) =>
    Array.from({ length: last }, (_, index) => `${kind}-${String(index + 1).padStart(2, '0')}`),
  )
  const ids = readRows().flatMap((row) => row.ids)
  expect(ids.filter((id) => !id.startsWith('V'))).toEqual(expected)
})

test('every promise has a test or says why not', () => {
  const isEmpty = ({ tests, limits }: Row) => tests.every((each) => each === '0' || each === '') && limits === ''
  expect(readRows().filter(isEmpty)).toEqual([])
})

test('every id in a title, in the sources and in a row is on the page', () => {
  const rows = readRows()
  const known = new Set(rows.flatMap(({ ids }) => ids))
  const named = rows.flatMap(({ tests }) => tests.filter((each) => /^[A-Z]/.test(each)))
  const mentioned = sources.flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(PROMISE_ID) ?? [])
  expect([...counts.keys(), ...named, ...mentioned].filter((id) => !known.has(id))).toEqual([])
  expect(counts.size).toBeGreaterThan(90)
})

function rowPattern(): RegExp {
  return new RegExp(`^\\| ((?:${ID.source})(?:, (?:${ID.source}))*) \\|.*\\| ([^|]*?) \\| ?([^|]*?) ?\\|$`, 'gm')
}

const readRows = (): Row[] =>
  [...page.matchAll(rowPattern())].map(([, ids = '', tests = '', limits = '']) => ({
    ids: ids.split(', '),
    tests: tests.split(', '),
    limits,
  }))

/** Tests and suites by id. A table of cases counts once, skipped tests do not count. */
function countTests(): Map<string, number> {
  const found = new Map<string, number>()
  const visit = (node: ts.Node) => {
    const ids = IDS_OF_TITLE.exec(titleOf(node))?.[0].split(', ') ?? []
    for (const id of ids) found.set(id, (found.get(id) ?? 0) + 1)
    ts.forEachChild(node, visit)
  }
  for (const path of sources) {
    if (ID.test(readFileSync(join(ROOT, path), 'utf8'))) visit(parse(path))
  }
  return found
}

/** Of a test, a suite, or a rule in a table of tests; otherwise empty. */
function titleOf(node: ts.Node): string {
  const isRule = ts.isPropertyAssignment(node) && node.name.getText() === 'rule'
  const isTest = ts.isCallExpression(node) && isTestFunction(node.expression)
  const title = isRule ? node.initializer : isTest ? node.arguments[0] : undefined
  return title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)) ? title.getText().slice(1, -1) : ''
}

/** `test`, `describe.concurrent`, `test.each(…)`, `testEachEngine`, but not `test.skip`. */
function isTestFunction(expression: ts.Expression): boolean {
  const called = ts.isCallExpression(expression) ? expression.expression : expression
  return /^(test|describe|testEachEngine)(\.(each|for|concurrent))*$/.test(called.getText().replace(/<.*>$/s, ''))
}
