/** `mayfly run`: what links hold reaches one command and nothing else. */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

const VALUE = 'canary pässwörd $HOME "4711"'
const NOTHING = Buffer.alloc(0)

let server: LocalServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-run-'))
  server = await startLocalServer()
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
