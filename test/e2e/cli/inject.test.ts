/** The built `mayfly inject` and `mayfly env`: in shells, with full disks, lost servers and signals. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { type Fault, type FaultyProxy, hangingUp, passOn, startFaultyProxy } from '#test/faulty-proxy'
import { needs } from '#test/needs'
import { bareEnvironment } from '#test/run-cli'
import { shell, spawnCli } from '#test/spawn-cli'
import { CLI } from '#test/start-server'

const VALUE = 'it\'s "$HOME" `id` \\ \\n päss ☃\n\n$(id) %s ’ !\t\n\n'
const NOTHING = Buffer.alloc(0)

let cli: CliFixture
let proxy: FaultyProxy
let cwd: string
/** Variables of the program: claims are stored in the home folder. */
let env: Record<string, string>
beforeAll(async () => {
  cli = await startCliFixture()
  proxy = await startFaultyProxy(cli.server.url)
})
beforeEach(async () => {
  cwd = join(cli.folder, 'work')
  await rm(cwd, { recursive: true, force: true })
  await mkdir(cwd)
  env = { HOME: cwd }
  proxy.fail(null)
})
afterAll(async () => {
  await proxy?.close()
  await cli?.stop()
})

/** A link whose requests go through the proxy. */
const create = async (text: string) => (await cli.createSecret(text)).replace(cli.server.url, proxy.url)
const place = (link: string) => `{{ mayfly:${link} }}`
const isView = (url = '') => /\/secret\/[^/]+$/.test(url)
const countViews = (log: string) => log.split('"route":"/api/v1/secret/:id","status":200').length - 1

/** A template with two secrets, which `line` fills. */
async function twoSecrets() {
  await cli.writeFile('work/template', `${place(await create('one'))} ${place(await create('two'))}\n`)
}

describe('values survive the shell', () => {
  const [sh, fish] = [
    'vars=$(mayfly env --links links) && eval "$vars"; sh -c \'printf %s "$A"\'',
    'mayfly env --links links --shell fish | source; sh -c \'printf %s "$A"\'',
  ]
  // `mayfly` is a program on the PATH, as for users.
  const runIn = async (program: string, line: string) => {
    await cli.writeProgram('mayfly', `exec '${process.execPath}' '${CLI}' "$@"`)
    await cli.writeFile('work/links', `A=${await create(VALUE)}\n`)
    const child = spawn(program, ['-c', line], { cwd, env: bareEnvironment({ ...env, PATH: cli.env.PATH ?? '' }) })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    const [code] = await once(child, 'close')
    return { code, stdout: `${Buffer.concat(chunks)}` }
  }

  test.each(['sh', 'bash'])('%s', async (program) => {
    expect(await runIn(program, sh)).toEqual({ code: 0, stdout: VALUE })
  })
  test('dash', needs('dash'), async () => {
    expect(await runIn('dash', sh)).toEqual({ code: 0, stdout: VALUE })
  })
  test('zsh', needs('zsh'), async () => {
    expect(await runIn('zsh', sh)).toEqual({ code: 0, stdout: VALUE })
  })
  test('fish', needs('fish'), async () => {
    expect(await runIn('fish', fish)).toEqual({ code: 0, stdout: VALUE })
  })
})

test('inject in a pipe is exact and opens each link once', async () => {
  const link = await create(VALUE)
  const before = cli.server.log().length
  const line = 'printf "%s|%s" "{{ mayfly:$LINK }}" "{{ mayfly:$LINK }}" | mayfly inject -q | cat'
  const { stdout, stderr, code } = await shell(line, { env: { ...env, LINK: link }, cwd })
  expect({ stdout: `${stdout}`, stderr, code }).toEqual({ stdout: `${VALUE}|${VALUE}`, stderr: '', code: 0 })
  expect(countViews(cli.server.log().slice(before))).toBe(1)
  expect(await spawnCli(['inject'], { env, stdin: place(link) })).toMatchObject({ stdout: NOTHING, code: 3 })
})

const FULL: [what: string, line: string][] = [
  ['inject -o', 'mayfly inject -i template -o /dev/full'],
  ['inject to stdout', 'mayfly inject -i template > /dev/full'],
  ['env', 'sed "s/.*mayfly:\\(.*\\) }} .*/A=\\1/" template | mayfly env --links - > /dev/full'],
]
test.each(FULL)(
  'REL-26: %s on a full disk exits with 10, and the next attempt gets the same content',
  async (_, line) => {
    await twoSecrets()
    const before = cli.server.log().length
    const full = await shell(line, { env, cwd })
    expect(full).toMatchObject({ code: 10, stderr: expect.stringMatching(/disk is full.*\n.*run it again within/) })
    expect(cli.server.log().slice(before)).not.toContain('/ack')
    const { stdout } = await shell('mayfly inject -q -i template', { env, cwd })
    expect(`${stdout}`).toBe('one two\n')
  },
)

test('REL-26: a limit of the file size leaves no file, and the next attempt gets the same content', async () => {
  const large = 'x'.repeat(600_000)
  await cli.writeFile('work/template', `${place(await create(large))}${place(await create('two'))}`)
  const refused = await shell('ulimit -f 256; mayfly inject -i template -o out', { env, cwd })
  expect(refused).toMatchObject({ code: 10, stderr: expect.stringContaining('run it again within') })
  expect(await readdir(cwd)).not.toContain('out')
  expect((await readdir(cwd)).filter((name) => name.startsWith('.out'))).toEqual([])
  expect(await shell('mayfly inject -q -i template -o out', { env, cwd })).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(join(cwd, 'out'), 'utf8')).toBe(`${large}two`)
  expect((await stat(join(cwd, 'out'))).mode & 0o777).toBe(0o600)
})

/** The second view and all requests after it meet this fault. */
function failFromSecondView(fault: Fault) {
  let views = 0
  proxy.fail((request, response, pass) => {
    if (isView(request.url)) views++
    return (views > 1 ? fault : passOn)(request, response, pass)
  })
}

async function expectBoth() {
  expect((await readdir(cwd)).filter((name) => name.includes('out'))).toEqual([])
  proxy.fail(null)
  expect(await shell('mayfly inject -i template -o out', { env, cwd })).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'out'), 'utf8')).toBe('one two\n')
}

test('REL-26: a server that is gone between two links loses neither', async () => {
  await twoSecrets()
  failFromSecondView(hangingUp)
  const lost = await shell('mayfly inject -i template -o out', { env, cwd })
  expect(lost).toMatchObject({ code: 6, stderr: expect.stringContaining('run it again within') })
  await expectBoth()
})

test('REL-26: Ctrl-C between two links leaves no file and loses neither', async () => {
  await twoSecrets()
  const second = new Promise<void>((reached) => failFromSecondView(() => reached()))
  const args = [CLI, 'inject', '-i', 'template', '-o', 'out']
  const child = spawn(process.execPath, args, { cwd, env: bareEnvironment(env), stdio: 'ignore' })
  const ended = once(child, 'close')
  await second
  child.kill('SIGINT')
  expect((await ended)[0]).toBe(130)
  await expectBoth()
})

test('env does not acknowledge when its reader is gone', async () => {
  await cli.writeFile('work/links', `A=${await create('x'.repeat(100_000))}\nB=${await create('y'.repeat(100_000))}`)
  const before = cli.server.log().length
  await shell('mayfly env --links links | head -c 1 > /dev/null || true', { env, cwd })
  expect(cli.server.log().slice(before)).not.toContain('/ack')
  const { stdout, code } = await shell('mayfly env --links links | wc -c', { env, cwd })
  expect({ stdout: `${stdout}`.trim(), code }).toEqual({ stdout: String(200_000 + 2 * 12), code: 0 })
})

test('SEC-34: inject prints no part of a link and no value on stderr', async () => {
  const link = await create('canary')
  await cli.writeFile('work/template', place(link))
  const ran = await spawnCli(['inject', '-v', '-i', 'template', '-o', 'out'], { env, cwd })
  expect(ran).toMatchObject({ code: 0, stdout: NOTHING })
  expect(ran.stderr).not.toMatch(/canary|#1/)
  expect(ran.stderr).not.toContain(link.split('/secret/')[1]?.slice(0, 22))
})
