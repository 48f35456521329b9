import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STORAGE_PARTS } from './storage-contract.js'

const ROOT = join(import.meta.dirname, '../..')
/** The only method of its store cannot fail on any database. */
const NOT_WRONG = ['leases.acquire']

interface Result {
  ancestorTitles: string[]
  status: string
}
interface Report {
  testResults: { assertionResults: Result[] }[]
}

test('the contract suite refuses a storage with any wrong method', async () => {
  const all = (await runSuite()).testResults.flatMap(({ assertionResults }) => assertionResults)
  const isRight = ({ ancestorTitles }: Result) => ancestorTitles[0] === 'right storage'
  expect(new Set(all.filter(isRight).map(({ status }) => status))).toEqual(new Set(['passed']))
  const results = all.filter((result) => !isRight(result))
  const methods = new Set(results.map(({ ancestorTitles }) => ancestorTitles[0]))
  const refused = new Set(
    results.flatMap(({ status, ancestorTitles }) => (status === 'failed' ? [ancestorTitles[0]] : [])),
  )
  expect([...methods].filter((method) => !refused.has(method))).toEqual(NOT_WRONG)
  expect(methods.size).toBeGreaterThan(100)
  const parts = new Set(results.map(({ ancestorTitles }) => ancestorTitles[1] ?? ''))
  expect(Object.keys(STORAGE_PARTS)).toEqual(expect.arrayContaining([...parts]))
  // Runs the suite once for each method.
}, 900_000)

/** Resolves with the output of vitest's JSON reporter. */
function runSuite(): Promise<Report> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = ['run', '--root', ROOT, '--config', 'test/fixtures/contract/vitest.config.ts', '--reporter', 'json']
  // Not the variables of the vitest that runs this test.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [vitest, ...args], { env, maxBuffer: 2 ** 28 }, (_, stdout) => {
      const start = stdout.indexOf('{"num')
      if (start === -1) reject(new Error('no report'))
      else resolve(JSON.parse(stdout.slice(start)))
    })
  })
}
