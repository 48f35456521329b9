/** Output about the program itself and about wrong commands: stdout, stderr and exit code. */

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { version } from './version.js'

test.each([
  [['--help'], /^Usage: mayfly .*secret create.*secret read.*secret burn.*serve.*config list/s],
  [['help'], /^Usage: mayfly /],
  [['secret', '--help'], /^Usage: mayfly secret /],
  [['secret', 'create', '--help'], /^Usage: mayfly secret create .*--ttl.*Global Options:.*--json.*Examples:/s],
  [['help', 'secret', 'read'], /^Usage: mayfly secret read /],
  [['secret', 'burn', '-h'], /^Usage: mayfly secret burn .*Examples:/s],
  [['serve', '--help'], /^Usage: mayfly serve .*--public-url.*Examples:/s],
  [['config', 'list', '--help'], /^Usage: mayfly config list .*--markdown/s],
  [['help', 'exit-codes'], /^ {2}0 {2}ok .*\n130 {2}interrupted/s],
  [['help', 'environment'], /^MAYFLY_SERVER /],
  [['help', 'formats'], /schema_version.*"error":/s],
  [['help', '--markdown'], /^\| command .*## mayfly secret create/s],
  [['help', 'examples'], /LINK=\$\(mayfly secret create < \.env\)/],
  [['--version'], version],
  [['-V'], version],
  [['version'], version],
])('%j prints to stdout and exits with 0', async (args, expected) => {
  const { stdout, stderr, code } = await run(args)
  if (typeof expected === 'string') expect(stdout.toString()).toBe(`${expected}\n`)
  else expect(stdout.toString()).toMatch(expected)
  expect(stderr).toBe('')
  expect(code).toBe(0)
})

test('version --json has schema_version', async () => {
  const { stdout } = await run(['version', '--json'])
  expect(JSON.parse(stdout.toString())).toEqual({ schema_version: 1, version, node: process.version })
})

test.each([
  [[], 'missing command', 'to share stdin: mayfly secret create'],
  [['create'], 'unknown command', 'did you mean `secret create`?'],
  [['secret', 'creat'], 'unknown command', 'did you mean `secret create`?'],
  [['secrte', 'read'], 'unknown command', 'did you mean `secret read`?'],
  [['sevre'], 'unknown command', 'did you mean `serve`?'],
  [['frobnicate'], 'unknown command', 'see mayfly --help'],
  [['https://s.example/secret/x#1key'], 'missing command', 'to open a link: mayfly secret read'],
  [
    ['secret'],
    'missing command after secret',
    'one of: secret create, secret read, secret burn, secret update, secret wait, secret status, secret list, secret export',
  ],
  [['secret', 'create', '--veiws', '2'], "unknown option '--veiws'", 'did you mean --views?'],
  [['secret', 'create', '--token=hunter2'], "unknown option '--token'", 'see --help'],
  [
    ['secret', 'create', 'hunter2'],
    "too many arguments for 'create'. Expected 0 arguments but got 1.",
    'pass the text on stdin; a file with --file',
  ],
  [['whoami', 'x'], "too many arguments for 'whoami'. Expected 0 arguments but got 1.", 'see --help'],
  [['secret', 'create', '--ttl'], "option '--ttl <duration>' argument missing", 'see --help'],
  [['version', '--color', 'blue'], '--color must be auto, always or never', undefined],
  [['help', 'nothing'], 'unknown help topic', 'topics: exit-codes, formats, environment, examples'],
  [['serve', '--set', 'port'], '--set needs key=value', 'for example --set sqlite.file=/srv/mayfly.db'],
])('%j prints a usage error to stderr and exits with 2', async (args, message, hint) => {
  const { stdout, stderr, code } = await run(args)
  expect(stderr).toBe(`mayfly: error: ${message}\n${hint === undefined ? '' : `mayfly: hint: ${hint}\n`}`)
  expect(stdout).toHaveLength(0)
  expect(code).toBe(2)
})

test('--json prints errors as one document on stderr', async () => {
  const { stdout, stderr, code } = await run(['creat', '--json'])
  const error = { code: 'usage', message: 'unknown command', hint: 'did you mean `secret create`?', exit: 2 }
  expect(JSON.parse(stderr)).toEqual({ error })
  expect(stdout).toHaveLength(0)
  expect(code).toBe(2)
})

test('errors are colored only with --color always when stderr is not a terminal', async () => {
  expect((await run(['creat'])).stderr).not.toContain('\x1b')
  expect((await run(['creat', '--color', 'always'])).stderr).toContain('\x1b[31merror:\x1b[0m')
  expect((await run(['creat'], { env: { FORCE_COLOR: '1' } })).stderr).toContain('\x1b')
  expect((await run(['creat'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stderr).not.toContain('\x1b')
  expect((await run(['creat', '--color', 'never'], { env: { FORCE_COLOR: '1' } })).stderr).not.toContain('\x1b')
})

test('examples pass shellcheck', needs('shellcheck'), async () => {
  const { stdout: input } = await run(['help', 'examples'])
  const { stdout, status } = spawnSync('shellcheck', ['-s', 'bash', '-'], { input, encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
})
