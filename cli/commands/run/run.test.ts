/** `mayfly run`. */

import { chmod, readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { run } from '#test/run-cli'

const VALUE = 'canary pässwörd $HOME "4711"'
const NOTHING = Buffer.alloc(0)

let cli: CliFixture
beforeAll(async () => {
  cli = await startCliFixture()
})
afterAll(() => cli?.stop())

const create: CliFixture['createSecret'] = (stdin, ...flags) => cli.createSecret(stdin, ...flags)
const file = (name: string, content: string) => cli.writeFile(name, content)
const isThere = async (link: string) => (await cli.readSecret(link, '--peek')).code === 0

test('run passes the secret as a variable, uses the view and prints neither link nor value', async () => {
  const link = await create(VALUE)
  const { stdout, stderr, code } = await run(['run', '-v', '--env', `A=${link}`, '--', 'sh', '-c', 'printf %s "$A"'])
  expect(stdout.toString()).toBe(VALUE)
  expect(stderr).not.toMatch(/canary|#1/)
  expect(stderr).toMatch(/POST \S+\/ack 204/)
  expect(code).toBe(0)
  expect(await isThere(link)).toBe(false)
})

test('--links reads links from a file or stdin', async () => {
  const links = [await create('one'), await create('two'), await create('three\nlines\n')]
  const path = await file('links', `# links\nA=${links[0]}\n\nB=${links[1]}\n`)
  const line = ['run', '--links', path, '--env', `C=${links[2]}`, '--', 'sh', '-c', 'echo "$A $B $C"']
  expect((await run(line)).stdout.toString()).toBe('one two three\nlines\n\n')
  const again = await create('four')
  const piped = await run(['run', '--links', '-', '--', 'printenv', 'D'], { stdin: `D=${again}` })
  expect(piped.stdout.toString()).toBe('four\n')
})

test('run returns the exit code of the command, or 128 plus the signal number', async () => {
  for (const [script, expected] of [
    ['exit 42', 42],
    ['kill -KILL $$', 137],
  ] as const) {
    const { code } = await run(['run', '--env', `A=${await create('x')}`, '--', 'sh', '-c', script])
    expect(code).toBe(expected)
  }
})

test('run opens no secret when the command or another secret is not usable', async () => {
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
  const right = ['--password-file', `${cli.folder}/password`]
  expect((await run(['run', '--env', `A=${locked}`, ...right, '--', 'printenv', 'A'])).stdout.toString()).toBe('z\n')
})

test('run names the variable that cannot be filled, and says what to do instead', async () => {
  const link = await create('x', '--views', '2')
  const files = await create('w', '--file', await file('ein ☃.txt', 'y'), '--file', await file('b', 'z'))
  const burned = await create('y')
  await run(['secret', 'burn', '-'], { stdin: burned })
  const [keyless = ''] = (await create('z', '--split')).split('\n')
  const tries: [value: string, code: number, told: RegExp][] = [
    [files, 2, /error: BAD: this secret has 2 files, .*\n.*hint: save files with `mayfly secret read --out-dir/],
    [
      'hunter2',
      2,
      /error: BAD: this is not a link to a secret\n.*hint: --allow-plain passes values that are not links/,
    ],
    ['-', 2, /error: BAD: this is not a link to a secret\n/],
    [burned, 3, /error: BAD: not found/],
    [link.slice(0, -3), 5, /error: BAD: this link or key is incomplete/],
    [keyless, 2, /error: BAD: the key of this link was sent separately\n.*hint: use the whole link/],
  ]
  for (const [value, expected, told] of tries) {
    const { stdout, stderr, code } = await run(['run', '--env', `A=${link}`, `BAD=${value}`, '--', 'echo', 'ran'])
    expect({ stdout, code }, stderr).toEqual({ stdout: NOTHING, code: expected })
    expect(stderr).toMatch(told)
    expect(stderr).not.toContain('hunter2')
  }
  expect((await run(['run', '--env', `A=${link}`, '--', 'printenv', 'A'])).stdout.toString()).toBe('x\n')
  expect(await isThere(files)).toBe(true)
})

test('one secret fills several variables with one view', async () => {
  const link = await create('twice')
  const line = ['run', '--env', `A=${link}`, `B=${link}`, '--', 'sh', '-c', 'echo "$A $B"']
  expect((await run(line)).stdout.toString()).toBe('twice twice\n')
})

test('REL-26: a secret that does not fit into a variable is not used up, and the next run passes it as a file', async () => {
  const env = { HOME: cli.folder, XDG_RUNTIME_DIR: cli.folder }
  for (const bytes of ['a\0b', 'x'.repeat(128 * 1024)]) {
    const other = await create('ö')
    const line = ['run', '--env', `A=${await create(bytes)}`, `B=${other}`]
    const refused = await run([...line, '--', 'echo', 'ran'], { env })
    expect(refused).toMatchObject({
      stdout: NOTHING,
      code: 2,
      stderr: expect.stringContaining('--as-file A; run it again'),
    })
    const script = 'stat -c %a "$A" >&2; cat "$A"; printf %s "$B"'
    const passed = await run([...line, '--as-file', 'A', '--', 'sh', '-c', script], { env })
    expect(passed).toMatchObject({ code: 0, stderr: expect.stringContaining('600\n') })
    expect(passed.stdout.toString()).toBe(`${bytes}ö`)
    expect((await readdir(cli.folder)).filter((name) => name.startsWith('mayfly-run-'))).toEqual([])
  }
})

test('a command that cannot be started uses no secret up', async () => {
  const env = { HOME: cli.folder }
  const links = [await create('x'.repeat(120 * 1024)), await create('y')]
  const flags = ['run', '--env', `A=${links[0]}`, `B=${links[1]}`, '--']
  const tooLong = await run([...flags, 'sh', '-c', `: ${'z'.repeat(128 * 1024)}`], { env })
  expect(tooLong).toMatchObject({ code: 10, stderr: expect.stringContaining('run it again within') })
  expect((await run([...flags, 'printenv', 'B'], { env })).stdout.toString()).toBe('y\n')
})

test('names in --links that change how programs run are refused before anything is opened', async () => {
  const link = await create('libevil.so')
  for (const name of [
    'LD_PRELOAD',
    'LD_AUDIT',
    'PATH',
    'NODE_OPTIONS',
    'BASH_ENV',
    'ENV',
    'IFS',
    'PYTHONSTARTUP',
    'DYLD_X',
    'Path',
  ]) {
    const path = await file('links', `${name}=${link}\n`)
    const { stdout, stderr, code } = await run(['run', '--links', path, '--', 'echo', 'ran'])
    expect({ stdout, code }, name).toEqual({ stdout: NOTHING, code: 2 })
    expect(stderr).toContain(`--allow-variable ${name}`)
  }
  const allowed = [
    'run',
    '--links',
    await file('links', `ENV=${link}`),
    '--allow-variable',
    'ENV',
    '--',
    'printenv',
    'ENV',
  ]
  expect((await run(allowed)).stdout.toString()).toBe('libevil.so\n')
  expect((await run(['run', '--env', `ENV=${await create('z')}`, '--', 'printenv', 'ENV'])).code).toBe(0)
  expect((await run(['run', '--env', `A=${link}`, '--as-file', 'B', '--', 'true'])).code).toBe(2)
})

test('--mask github masks every line of every value', async () => {
  const link = await create('one 100 %\ntwo\n\n')
  const line = ['run', '--env', `A=${link}`, '--mask', 'github', '--', 'true']
  const { stdout, stderr } = await run(line, { env: { GITHUB_ACTIONS: 'true' } })
  expect(stderr).toBe(`::add-mask::one 100 %25\n::add-mask::two\n::add-mask::${link}\n`)
  expect(stdout).toEqual(NOTHING)
})

test('--allow-plain opens links and passes other values, also of a .env file', async () => {
  const link = await create('secret\n')
  const lines = [`A=${link}`, 'export B="two words # here"', "C='a\\b'", 'D=', `E='${link}'`]
  const path = await file('.env', lines.join('\n'))
  const flags = ['run', '--links', path, '--env', 'F="$HOME"', '--allow-plain', '--as-file', 'C', '--']
  const { stdout, stderr, code } = await run([...flags, 'sh', '-c', 'cat "$C"; echo "|$A|$B|$D|$E|$F"'])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout.toString()).toBe('a\\b|secret|two words # here||secret|"$HOME"\n')
  expect((await run(['run', '--env', 'A=x', '--allow-plain', '--', 'printenv', 'A'])).stdout.toString()).toBe('x\n')
})

test('--allow-plain refuses what may be a damaged link or is read in different ways, and opens nothing', async () => {
  const link = await create('x')
  for (const [line, code] of [
    [`B=${link.slice(0, -1)}`, 5],
    [`B=${link.slice(7)}`, 5],
    [`B=see ${link}`, 5],
    [`B="${link}`, 2],
    ['B=hunter2 # comment', 2],
    ['B="hunter2\\n"', 2],
    ["B='hunter'2'", 2],
    ["B='", 2],
    ['B = hunter2', 2],
    ['hunter2', 2],
    ['PATH=hunter2', 2],
    [`B=${'hunter2'.repeat(20_000)}`, 2],
  ] as const) {
    const ran = await run(['run', '--links', '-', '--allow-plain', '--', 'echo', 'ran'], {
      stdin: `A=${link}\n${line}`,
    })
    expect(ran, line).toMatchObject({ stdout: NOTHING, code })
    expect(ran.stderr).not.toMatch(/hunter|#1/)
  }
  const large = await run(['run', '--links', '-', '--', 'true'], { stdin: `A=${link}\n${'#'.repeat(1024 * 1024)}` })
  expect(large).toMatchObject({ code: 2, stderr: expect.stringContaining('--links is too large') })
  expect(await isThere(link)).toBe(true)
})
