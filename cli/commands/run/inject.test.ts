/** `mayfly inject` and `mayfly env`. test/e2e/cli/inject.test.ts runs them in shells. */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { run, testIo } from '#test/run-cli'
import { injectSecrets } from './inject-command.js'

const NOTHING = Buffer.alloc(0)

let cli: CliFixture
let cwd: string
beforeAll(async () => {
  cli = await startCliFixture()
  cwd = join(cli.folder, 'work')
  await mkdir(cwd)
})
afterAll(() => cli?.stop())

const isThere = async (link: string) => (await cli.readSecret(link, '--peek')).code === 0
const filled = (name: string) => readFile(join(cwd, name), 'utf8')

test('inject fills a template, opens each secret once, and writes a private file', async () => {
  const [one, two] = [await cli.createSecret('canary öne\n'), await cli.createSecret('two\nlines\n')]
  await cli.writeFile('work/template', `a: {{ mayfly:${one} }}\nb: {{mayfly:${two}}}c: {{ mayfly:${one} }}\n`)
  const { stdout, stderr, code } = await run(['inject', '-v', '-i', 'template', '-o', 'filled'], { cwd })
  expect({ stdout, code }, stderr).toEqual({ stdout: NOTHING, code: 0 })
  expect(stderr).toMatch(/filled 3 places with 2 secrets\n$/)
  expect(stderr).not.toMatch(/canary|#1/)
  expect(await filled('filled')).toBe('a: canary öne\nb: two\nlines\nc: canary öne\n')
  expect((await stat(join(cwd, 'filled'))).mode & 0o777).toBe(0o600)
  expect(await isThere(one)).toBe(false)
  expect(stderr.match(/\/ack 204/g)).toHaveLength(2)
})

test('inject --json has the lines of each secret, and neither value, id nor key', async () => {
  const link = await cli.createSecret('canary', '--views', '2')
  const stdin = `{{ mayfly:${link} }}\n{{ mayfly:${link} }}`
  const { stdout, stderr } = await run(['inject', '--json', '-o', 'json'], { cwd, stdin })
  const secret = { lines: [1, 2], views_left: 1, expires_at: expect.stringMatching(/Z$/), mismatches: [] }
  expect(JSON.parse(`${stdout}`)).toEqual({ output: 'json', places: 2, secrets: [secret] })
  expect(`${stdout}${stderr}`).not.toMatch(/canary|#1/)
  const [id = ''] = /[\w-]{22}(?=#)/.exec(link) ?? []
  expect(`${stdout}`).not.toContain(id)
})

test('inject opens nothing when a template, an output, a link or a password is not usable', async () => {
  const link = await cli.createSecret('x')
  const gone = await cli.createSecret('y')
  await run(['secret', 'burn', '-'], { stdin: gone })
  const locked = await cli.createSecret('z', '--password-file', await cli.writeFile('work/password', 'pässwörd'))
  const withFile = await cli.createSecret('w', '--file', '-', '--name', 'w.txt')
  const place = (to: string) => `{{ mayfly:${to} }}`
  await cli.writeFile('work/good', place(link))
  await cli.writeFile('work/large', place(link) + ' '.repeat(1024 * 1024))
  await cli.writeFile('work/there', 'old')
  const tries: [args: string[], code: number, told: RegExp, stdin?: string][] = [
    [['-i', 'missing', '-o', 'out'], 2, /cannot read --template: ENOENT/],
    [['-i', '.', '-o', 'out'], 2, /cannot read --template: EISDIR/],
    [['-i', 'large', '-o', 'out'], 7, /the template is larger than 1024 KiB/],
    [['-o', 'out'], 7, /the template is larger than 1024 KiB/, place(link) + ' '.repeat(1024 * 1024)],
    [['-i', 'good', '-o', 'missing/out'], 2, /cannot write --output: ENOENT/],
    [['-i', 'good', '-o', 'there'], 2, /--output exists already/],
    [['-i', 'good', '-o', '.'], 2, /--output is not a file/],
    [['-i', 'good', '--json'], 2, /cannot both go to stdout/],
    [['-o', 'out'], 3, /line 2: not found/, `${place(link)}\n${place(gone)}`],
    [['-o', 'out'], 5, /line 1: this link or key is incomplete/, `${place(link.slice(0, -1))} ${place(link)}`],
    [['-o', 'out'], 2, /missing password/, `${place(link)} ${place(locked)}`],
    [['-o', 'out', '--password-file', 'good'], 5, /wrong password/, `${place(link)} ${place(locked)}`],
    [['-o', 'out', '--password-file', '-'], 2, /stdin cannot be both/, place(link)],
    [['-o', 'out'], 2, /line 1: this secret has 1 file/, `${place(withFile)} ${place(link)}`],
    [['hunter2', '-o', 'out'], 2, /too many arguments/],
  ]
  for (const [args, expected, told, stdin = ''] of tries) {
    const { stdout, stderr, code } = await run(['inject', ...args], { cwd, stdin })
    expect({ stdout, code }, `${args} ${stderr}`).toEqual({ stdout: NOTHING, code: expected })
    expect(stderr).toMatch(told)
    expect(stderr).not.toMatch(/hunter2|#1/)
  }
  expect((await readdir(cwd)).filter((name) => name.includes('out'))).toEqual([])
  expect(await filled('there')).toBe('old')
  expect((await run(['inject', '-i', 'good', '-o', 'there', '--yes'], { cwd })).code).toBe(0)
  expect(await filled('there')).toBe('x')
})

test('a terminal shows the result only with --output -, escaped', async () => {
  const link = await cli.createSecret('a\x1b[2Jb')
  const stdin = `{{ mayfly:${link} }}\n`
  const flags = { input: true, timeout: '30s', progress: 'auto' as const }
  const { io: refusing, stdout: nothing } = testIo({ stdin, isTTY: { stdout: true } })
  await expect(injectSecrets(flags, refusing)).rejects.toMatchObject({ outcome: 'usage' })
  expect(nothing()).toEqual(NOTHING)
  const { io, stdout } = testIo({ stdin, isTTY: { stdout: true } })
  await injectSecrets({ ...flags, output: '-' }, io)
  expect(`${stdout()}`).toBe('a\\x1b[2Jb\n')
})

const VALUE = 'it\'s "$HOME" `id` \\ päss\n\n$(id) ’'

test.each([
  ['sh', "export A='it'\\''s \"$HOME\" `id` \\ päss\n\n$(id) ’'\nexport B='plain'\n"],
  ['fish', "set -gx A 'it\\'s \"$HOME\" `id` \\\\ päss\n\n$(id) ’'\nset -gx B 'plain'\n"],
  [
    'powershell',
    "$env:A = 'it''s \"$HOME\" `id` \\ p' + [char]228 + 'ss' + [char]10 + [char]10 + '$(id) ' + [char]8217\n$env:B = 'plain'\n",
  ],
])('env --shell %s quotes values', async (shell, expected) => {
  const stdin = `A=${await cli.createSecret(VALUE)}\nB=plain\n`
  const { stdout, stderr, code } = await run(['env', '--links', '-', '--allow-plain', '--shell', shell], { stdin })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(`${stdout}`).toBe(expected)
})

test('env --json has the exact values', async () => {
  const link = await cli.createSecret(VALUE)
  const { stdout } = await run(['env', '--env', `A=${link}`, '--json'])
  expect(JSON.parse(`${stdout}`)).toEqual({ variables: { A: VALUE } })
})

test('env opens nothing for a name that changes how programs run, an unknown shell or a missing file', async () => {
  const link = await cli.createSecret('x')
  const path = await cli.writeFile('links', `PATH=${link}`)
  for (const args of [
    ['--links', path],
    ['--env', `A=${link}`, '--shell', 'tcsh'],
    ['--env', `A=${link}`, '--links', '/missing'],
    ['--env', `A b=${link}`],
    ['--env', `A=${link}`, '-o', '/missing/out'],
    [],
  ]) {
    expect(await run(['env', ...args]), `${args}`).toMatchObject({ stdout: NOTHING, code: 2 })
  }
  expect(await isThere(link)).toBe(true)
})

test('a value with NUL is an error of env, and the secret is not used up', async () => {
  const link = await cli.createSecret('a\0b')
  const env = { HOME: cli.folder }
  const other = await cli.createSecret('y')
  const refused = await run(['env', '--env', `A=${link}`, `B=${other}`], { env })
  expect(refused).toMatchObject({ stdout: NOTHING, code: 2, stderr: expect.stringContaining('run it again within') })
  expect((await run(['secret', 'read', '-'], { env, stdin: link })).stdout.toString()).toBe('a\0b')
  expect(await isThere(other)).toBe(true)
})
