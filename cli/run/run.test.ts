/** `mayfly run`: what links hold reaches one command and nothing else. */

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { needs } from '#test/needs'
import { run, shell, terminal } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

const VALUE = 'canary pässwörd $HOME "4711"'
const NOTHING = Buffer.alloc(0)

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 })

let server: RunningServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-run-'))
  server = await startServer({ env: { MAYFLY_PLUGINS: ',' } })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function create(stdin: string | Uint8Array, ...flags: string[]): Promise<string> {
  const { stdout } = await run(['secret', 'create', ...flags], { stdin, env: { MAYFLY_SERVER: server.url } })
  return stdout.toString().trim()
}
const isThere = async (link: string) => (await run(['secret', 'read', '--peek', '-'], { stdin: link })).code === 0
const file = async (name: string, content: string) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

test('a variable of the command holds what the link did; the link is used up, and nothing is said of either', async () => {
  const link = await create(VALUE)
  const { stdout, stderr, code } = await run(['run', '-v', '--env', `A=${link}`, '--', 'sh', '-c', 'printf %s "$A"'])
  expect(stdout.toString()).toBe(VALUE)
  expect(stderr).not.toMatch(/canary|#1/)
  expect(stderr).toMatch(/POST \S+\/ack 204/)
  expect(code).toBe(0)
  expect(await isThere(link)).toBe(false)
})

test('--links keeps links out of ps, also from stdin', async () => {
  const links = [await create('one'), await create('two'), await create('three\nlines\n')]
  const path = await file('links', `# links\nA=${links[0]}\n\nB=${links[1]}\n`)
  const line = ['run', '--links', path, '--env', `C=${links[2]}`, '--', 'sh', '-c', 'echo "$A $B $C"']
  expect((await run(line)).stdout.toString()).toBe('one two three\nlines\n\n')
  const again = await create('four')
  const piped = await run(['run', '--links', '-', '--', 'printenv', 'D'], { stdin: `D=${again}` })
  expect(piped.stdout.toString()).toBe('four\n')
})

test('its exit code is that of the command; a signal counts from 128', async () => {
  for (const [script, expected] of [
    ['exit 42', 42],
    ['kill -KILL $$', 137],
  ] as const) {
    const { code } = await run(['run', '--env', `A=${await create('x')}`, '--', 'sh', '-c', script])
    expect(code).toBe(expected)
  }
})

test('signals are passed on', async () => {
  const link = await create('x')
  const script = 'trap "echo got TERM; exit 7" TERM; echo up > up; while :; do sleep 0.1; done'
  const line = `rm -f up; mayfly run --env "A=$LINK" -- sh -c '${script}' & until [ -e up ]; do sleep 0.1; done; kill -TERM $!; wait $!`
  // A function would be a shell of its own between us and the program.
  const { stdout, code } = await shell(line.replace('mayfly run', '"$NODE" "$CLI" run'), {
    env: { LINK: link, NODE: process.execPath, CLI: join(import.meta.dirname, '../../dist/cli.js') },
    cwd: folder,
  })
  expect(stdout.toString()).toBe('got TERM\n')
  expect(code).toBe(7)
})

test('Ctrl-C on a terminal reaches the command once', needs('script'), async () => {
  await file('links', `A=${await create('x')}`)
  // Not a shell: that takes two signals at the same time for one.
  const script = `let count = 0
    process.on('SIGINT', () => count++ || setTimeout(() => { console.log('got ' + count); process.exit(9) }, 500))
    setInterval(() => {}, 1000)
    console.log('up')`
  await file('script.mjs', script)
  const tty = terminal(`mayfly run --links links -- '${process.execPath}' script.mjs`, { cwd: folder })
  await tty.sees(/up\r\n/)
  tty.types('\x03')
  await tty.sees(/got 1\r\n/)
  expect(await tty.ended).toBe(9)
})

test('nothing is opened for what cannot run or is not all there', async () => {
  const link = await create('x')
  const gone = await create('y')
  await run(['secret', 'burn', '-'], { stdin: gone })
  const locked = await create('z', '--password-file', await file('password', 'pässwörd'))
  const withFile = await create('w', '--file', '-', '--name', 'w.txt')
  const script = await file('script', '#! /no/such/interpreter -x\n')
  await chmod(script, 0o755)
  const tries: [flags: string[], command: string[], code: number][] = [
    [[`B=${gone}`], ['true'], 3],
    [[`B=${locked}`], ['true'], 2],
    [[`B=${locked}`, '--password-file', await file('wrong', 'nö')], ['true'], 5],
    [[`B=${withFile}`], ['true'], 2],
    [[`1B=${gone}`], ['true'], 2],
    [[`A=${gone}`], ['true'], 2],
    [['B=hunter2'], ['true'], 2],
    [[`B=${link}`], ['true'], 2],
    [[], ['no-such-program'], 2],
    [[], [script], 2],
    [[], [], 2],
    [['--mask', 'github'], ['true'], 2],
  ]
  for (const [more, command, expected] of tries) {
    const { stdout, stderr, code } = await run(['run', '--env', `A=${link}`, ...more, '--', ...command])
    expect({ stdout, code }, `${more} ${command}`).toEqual({ stdout: NOTHING, code: expected })
    expect(stderr).not.toMatch(/hunter2|#1/)
  }
  expect(await isThere(link)).toBe(true)
  expect(await isThere(withFile)).toBe(true)
  expect((await run(['run', '--', 'true'])).code).toBe(2)
  const right = ['--password-file', join(folder, 'password')]
  expect((await run(['run', '--env', `A=${locked}`, ...right, '--', 'printenv', 'A'])).stdout.toString()).toBe('z\n')
})

test('one secret fills as many variables as it has views', async () => {
  const link = await create('twice', '--views', '2')
  const line = ['run', '--env', `A=${link}`, `B=${link}`, '--', 'sh', '-c', 'echo "$A $B"']
  expect((await run(line)).stdout.toString()).toBe('twice twice\n')
})

test('what no variable can hold is 2, and the command does not run', async () => {
  for (const bytes of ['a\0b', 'x'.repeat(128 * 1024)]) {
    const { stdout, code } = await run(['run', '--env', `A=${await create(bytes, '--no-chomp')}`, '--', 'echo', 'ran'])
    expect({ stdout, code }).toEqual({ stdout: NOTHING, code: 2 })
  }
})

test('--mask github hides every line of every value, as the runner reads it', async () => {
  const link = await create('one 100 %\ntwo\n\n')
  const line = ['run', '--env', `A=${link}`, '--mask', 'github', '--', 'true']
  const { stdout, stderr } = await run(line, { env: { GITHUB_ACTIONS: 'true' } })
  expect(stderr).toBe(`::add-mask::one 100 %25\n::add-mask::two\n::add-mask::${link}\n`)
  expect(stdout).toEqual(NOTHING)
})

test('no child is given a link or a value as an argument', async () => {
  const link = await create(VALUE)
  const path = await file('links', `A=${link}`)
  await run(['run', '--links', path, '--', 'sh', '-c', `cat /proc/[0-9]*/cmdline > '${folder}/seen'; true`])
  const seen = await readFile(join(folder, 'seen'), 'latin1')
  expect(seen).toContain('--links')
  expect(seen).not.toContain(link.split('#')[1])
  expect(seen).not.toContain(VALUE)
})
