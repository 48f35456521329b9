/**
 * Transcripts of the built program: test/e2e/cli/transcripts/*.txt. `$` is a line of shell. Below it stands what it
 * prints: `2>` before the lines of stderr, `[3]` for an exit code other than 0, `[..]` for any part of a line.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shell } from '#test/spawn-cli'
import { CLI, type RunningServer, startServer } from '#test/start-server'

const FOLDER = join(import.meta.dirname, 'transcripts')

interface Step {
  command: string
  /** Lines as they stand in the transcript. */
  expected: string[]
}

let cwd: string
let server: RunningServer
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'mayfly-transcripts-'))
  mkdirSync(join(cwd, 'data'))
  server = await startServer({ dataDir: join(cwd, 'data'), env: { MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0' } })
})
afterAll(async () => {
  await server?.stop()
  rmSync(cwd, { recursive: true })
})

test.each(readdirSync(FOLDER))('%s', async (name) => {
  const steps = stepsOf(readFileSync(join(FOLDER, name), 'utf8'))
  const env = {
    MAYFLY_SERVER: server.url,
    MAYFLY_LOCAL_FILES_MIN_FREE_BYTES: '0',
    XDG_CONFIG_HOME: join(cwd, 'config'),
    NODE: process.execPath,
    CLI,
  }
  const { code, stderr } = await shell(scriptOf(steps), { cwd, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const actual = steps.map(({ command }, at) => ({ command, printed: printedBy(at) }))
  expect(actual).toEqual(steps.map(({ command, expected }) => ({ command, printed: expected.map(matcher) })))
})

/** Lines that begin with `#` are comments. */
function stepsOf(transcript: string): Step[] {
  const lines = transcript.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const steps: Step[] = []
  for (const line of lines) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), expected: [] })
    else steps.at(-1)?.expected.push(line)
  }
  return steps
}

/** All steps in one shell, so that they share its variables. */
function scriptOf(steps: Step[]): string {
  const lines = steps.map(
    ({ command }, at) => `{ ${command}\n} > .out-${at} 2> .err-${at} < /dev/null; echo $? > .code-${at}`,
  )
  return `set +e +o pipefail; ${lines.join('\n')}\ntrue`
}

/** Output of a step in the format of a transcript. */
function printedBy(at: number): string[] {
  const lines = (name: string) =>
    readFileSync(join(cwd, `${name}-${at}`), 'utf8')
      .split('\n')
      .filter(Boolean)
  const [code = ''] = lines('.code')
  return [...lines('.out'), ...lines('.err').map((line) => `2> ${line}`), ...(code === '0' ? [] : [`[${code}]`])]
}

const matcher = (line: string): unknown =>
  line.includes('[..]')
    ? expect.stringMatching(new RegExp(`^${line.split('[..]').map(escapePattern).join('.*')}$`))
    : line

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
