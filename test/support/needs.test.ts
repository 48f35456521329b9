/** `needs` and the summary of a run, in runs of vitest on a machine that seems to lack nginx and Redis. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { TOOLS } from './tools.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NGINX = `nginx (${TOOLS.nginx.install})`
const REDIS = `redis (${TOOLS.redis.install})`

/** Runs files of test/fixtures/missing-tools. `output` is the summary, without empty lines. */
async function runFixtures(files: string[], ci?: string): Promise<{ code: number; output: string[] }> {
  const { PATH = '' } = process.env
  const config = 'test/fixtures/missing-tools/vitest.config.ts'
  const child = spawn('node', ['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...files], {
    cwd: ROOT,
    env: { PATH, NO_COLOR: '1', ...(ci && { CI: ci }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code, output: output.split('\n').filter(Boolean) }
}

test('a test that lacks a tool is skipped, and the summary names its file and how to install the tool', async () => {
  const { code, output } = await runFixtures(['needs-tools.ts', 'skips.ts'])
  expect(code).toBe(0)
  expect(output.filter((line) => line.startsWith('Skipped')).sort()).toEqual([
    `Skipped: needs-tools.ts: 1 test, missing ${NGINX} and ${REDIS}`,
    `Skipped: needs-tools.ts: 2 tests, missing ${NGINX}`,
    'Skipped: skips.ts: 1 test',
  ])
  expect(output.at(-1)).toBe('2 passed, 0 failed, 4 skipped')
})

test('with CI set, missing tools and skipped tests are failures, and the summary names each and the slowest files', async () => {
  const { code, output } = await runFixtures(['needs-tools.ts', 'fails.ts', 'skips.ts'], 'true')
  expect(code).toBe(1)
  const after = (line: string) => output[output.indexOf(line) + 1]
  expect(after('Failed: needs-tools.ts > the file')).toContain(`  nginx is missing: ${TOOLS.nginx.install} at `)
  expect(after('Failed: fails.ts > fails')).toContain('☃')
  expect(after('Failed: fails.ts > a suite')).toMatch(/^ {2}no ☃ today at .*fails\.ts:\d+$/)
  expect(output).toContain('Failed: skips.ts > without a reason')
  const slowest = output.filter((line) => line.startsWith('Slow: ')).map((line) => line.replace(/\d+/, 'N'))
  expect(slowest.sort()).toEqual(['Slow: N s fails.ts', 'Slow: N s needs-tools.ts', 'Slow: N s skips.ts'])
  expect(output.at(-1)).toMatch(/^1 passed, 4 failed/)
})
