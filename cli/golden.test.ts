/** Checks of every command: help, wrong flags, and unreachable servers and databases. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatFragment, formatLink } from '#shared/link'
import { formatCollectLink, formatRequestLink } from '#shared/request-link'
import { run } from '#test/run-cli'
import { CATALOG, COMMANDS } from './program.js'
import { listEntries } from './reference/command-table.js'

const NOTHING = Buffer.alloc(0)
const DEAD = 'http://127.0.0.1:1'
const DEAD_LINK = formatLink(`${DEAD}/secret/${'A'.repeat(22)}`, formatFragment(new Uint8Array(32)))
const DEAD_PLACE = { base: DEAD, id: 'A'.repeat(22) }
const DEAD_REQUEST = formatRequestLink({
  ...DEAD_PLACE,
  shareSecret: new Uint8Array(32),
  fingerprint: new Uint8Array(16),
})
const DEAD_COLLECT = formatCollectLink({ ...DEAD_PLACE, requestKey: new Uint8Array(32) })
const DEAD_DATABASE = 'postgres://user:hunter2@127.0.0.1:1/mayfly'
const NAMES = COMMANDS.map(({ name }) => name)
const withFlag = (flag: string) =>
  listEntries(CATALOG).flatMap(({ path, flags }) => (flags.some(({ names }) => names.includes(flag)) ? path : []))

/** Its flags that take a number or a duration. */
const measured = (name: string) =>
  listEntries(CATALOG)
    .filter(({ path }) => path === name)
    .flatMap(({ flags }) => flags.filter((each) => /<(duration|count|number)>/.test(each.flags)))
    .map(({ names }) => names.at(-1) as string)

/** Arguments that a command needs before it connects. */
const ARGS: Record<string, string[]> = {
  'secret read': [DEAD_LINK],
  'secret burn': [DEAD_LINK],
  'secret update': [DEAD_LINK, '--views', '1'],
  'request show': [DEAD_REQUEST],
  'request close': [DEAD_COLLECT],
  'request submit': [DEAD_REQUEST],
  'request collect': [DEAD_COLLECT],
  run: ['--env', `A=${DEAD_LINK}`, '--', 'true'],
  env: ['--env', `A=${DEAD_LINK}`],
  'user add': ['alice', '--email', 'a@example.org'],
  'import hemmelig': ['missing.db'],
  'user role': ['alice', 'user'],
  'user groups': ['alice', 'für ☃'],
  'user email': ['alice', 'b@example.org'],
  'user verify-email': ['alice'],
  'user suspend': ['alice'],
  'user resume': ['alice'],
  'user end-sessions': ['alice'],
  'user access': ['alice'],
  'user revoke': ['alice', 'token:0a1b2c3d'],
  'user lock-out': ['alice'],
  'user reset-factors': ['alice'],
  'user passwd': ['alice'],
  'user delete': ['alice', '--confirm', 'alice'],
  'user token': ['alice', '--rotate'],
  'events ping': ['webhook.default'],
  'events purge': ['--state', 'dead'],
  'plugin check': ['audit-file'],
  'mail test': ['alice@example.org'],
  'settings get': ['read_only'],
  'settings set': ['read_only=true'],
}
/** Stdin of the commands that read it. */
const STDIN: Record<string, string> = { 'secret create': 'text', inject: `{{ mayfly:${DEAD_LINK} }}` }
/** Commands that use a server and need no token. */
const CLIENT = [
  'secret create',
  'secret read',
  'secret burn',
  'run',
  'env',
  'inject',
  'request create',
  'request show',
  'request close',
  'request submit',
  'request collect',
]

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mayfly-golden-'))
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

// First, because each command waits between its tries, and the others run meanwhile.
test.concurrent.each(CLIENT)('%s exits with 6 and empty stdout when the server is unreachable', async (name) => {
  const args = [...name.split(' '), '-v', ...(ARGS[name] ?? [])]
  const { stdout, stderr, code } = await run(args, { stdin: STDIN[name] ?? '', env: { MAYFLY_SERVER: DEAD }, cwd })
  expect({ stdout, code }, stderr).toEqual({ stdout: NOTHING, code: 6 })
  expect(stderr).not.toMatch(/#1|AAAAAAAA/)
})

describe.concurrent.each(NAMES)('%s', (name) => {
  const words = name.split(' ')

  test('--help prints the same text without color to stdout, also with CI and NO_COLOR', async () => {
    const plain = await run([...words, '--help'])
    expect(plain).toMatchObject({ stderr: '', code: 0 })
    expect(plain.stdout.toString()).toMatch(new RegExp(`^Usage: mayfly ${name} [\\s\\S]*\\nExamples:\\n`))
    expect(plain.stdout.toString()).not.toContain('\x1b')
    for (const env of [{ CI: '1' }, { NO_COLOR: '1' }]) {
      expect(await run([...words, '--help'], { env, stdin: 'unread' })).toEqual(plain)
    }
  })

  test('an unknown flag exits with 2, with one document on stderr for --json', async () => {
    const refused = await run([...words, '--hunter2=hunter2'], { cwd, stdin: 'text' })
    expect(refused).toMatchObject({ stdout: NOTHING, code: 2 })
    expect(refused.stderr).toMatch(/^mayfly: error: unknown option/)
    expect(refused.stderr).not.toContain('=hunter2')
    const json = await run([...words, '--json', '--hunter2=hunter2'], { cwd, stdin: 'text' })
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'usage', exit: 2 } })
    expect(json).toMatchObject({ stdout: NOTHING, code: 2 })
  })

  test('an invalid flag value exits with 2 and is not printed', async () => {
    for (const flag of ['--color', '--timeout', ...measured(name)]) {
      const { stdout, stderr, code } = await run([...words, flag, 'hunter2', ...(ARGS[name] ?? [])], { cwd })
      expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 2 })
      expect(stderr).toContain(flag)
      expect(stderr).not.toContain('hunter2')
    }
  })
})

/** Not `doctor`, which reports an unreachable database as a finding. */
const NEEDS_DATABASE = withFlag('--database-url').filter((name) => name !== 'doctor')

test.each(NEEDS_DATABASE)('%s exits with 6 and empty stdout when the database is unreachable', async (name) => {
  const before = ['--quiet', '--no-input', '--yes']
  const args = [...name.split(' '), ...before, ...(ARGS[name] ?? [])]
  const env = { MAYFLY_DATABASE_URL: DEAD_DATABASE, MAYFLY_PLUGINS: ',', MAYFLY_PORT: '0' }
  const { stdout, stderr, code } = await run(args, { env, cwd })
  // `restore` checks its input first.
  expect({ stdout, code }, stderr).toEqual({ stdout: NOTHING, code: name === 'restore' ? 2 : 6 })
  expect(stderr).not.toContain('hunter2')
})
