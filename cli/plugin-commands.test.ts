/** Commands of plugins: they run without a database, appear in the help, and cannot hide a command of Mayfly. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '#test/run-cli'

const greeting = fileURLToPath(new URL('../test/fixtures/plugins/greeting.js', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-commands-'))
})
afterAll(() => rm(folder, { recursive: true }))

const OPTIONS = '{ safeParse: (data) => ({ success: true, data }), shape: {} }'

/** A config file with a plugin that has these commands. */
async function writePlugin(commands: string): Promise<Record<string, string>> {
  const name = `plugin-${Math.floor(performance.now() * 1000)}`
  const code = `export default { contract: 1, name: '${name}', options: ${OPTIONS}, commands: ${commands}, setup: () => ({}) }`
  await writeFile(join(folder, `${name}.mjs`), code)
  return { MAYFLY_PLUGINS: join(folder, `${name}.mjs`) }
}

describe('a command of a plugin', () => {
  const config = () => join(folder, 'mayfly.config.json')
  beforeAll(() => writeFile(config(), JSON.stringify({ plugins: ['web', greeting], greeting: { word: 'Grüß dich' } })))
  const text = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(args, { env: { MAYFLY_CONFIG: config() } })
    return { stdout: `${stdout}`, stderr, code }
  }

  test('runs with the options of the config, its flags and its argument', async () => {
    expect(await text('greeting', 'print', 'jörg')).toEqual({ stdout: 'Grüß dich, jörg!\n', stderr: '', code: 0 })
    expect((await text('greeting', 'print', '--loud')).stdout).toBe('GRÜSS DICH, WORLD!\n')
    expect((await text('greeting', 'print', '--json')).stdout).toBe('{"greeting":"Grüß dich, world!"}\n')
    const { stdout } = await run(['--config', config(), 'greeting', 'print'])
    expect(`${stdout}`).toBe('Grüß dich, world!\n')
  })

  test('appears in the help, in completions and in the hint for its group', async () => {
    expect((await text('--help')).stdout).toContain('greeting print')
    expect((await text('greeting', 'print', '--help')).stdout).toContain('mayfly greeting print alice')
    expect((await text('completion', 'bash')).stdout).toContain('greeting')
    expect(await text('greeting')).toMatchObject({ code: 2, stderr: expect.stringContaining('greeting print') })
  })

  test('an unknown flag of a command exits with 2', async () => {
    expect(await text('greeting', 'print', '--quietly')).toMatchObject({ code: 2 })
  })

  test('a config file in the working folder adds no commands', async () => {
    const { code, stdout } = await run(['--help'], { cwd: folder })
    expect([code, `${stdout}`.includes('greeting')]).toEqual([0, false])
    expect((await run(['greeting', 'print'], { cwd: folder })).code).toBe(2)
  })
})

test('a built-in command loads no plugin', async () => {
  const env = { MAYFLY_PLUGINS: '/nonexistent/plugin.js' }
  expect((await run(['version'], { env })).code).toBe(0)
  const { code, stderr } = await run(['nonsense'], { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining('/nonexistent/plugin.js does not exist')])
})

test.each([
  [
    "[{ name: 'secret peek', summary: 'x', run() {} }]",
    'adds the command "secret peek", but "secret" is a command of Mayfly',
  ],
  ["[{ name: 'Peek', summary: 'x', run() {} }]", 'whose name must be one to three lower-case words'],
  ["[{ name: 'peek', summary: 'x' }]", 'which has no summary or no function run'],
  [
    "[{ name: 'peek', summary: 'x', options: [['--json', 'x']], run() {} }]",
    'whose option --json belongs to every command',
  ],
  [
    "[{ name: 'peek', summary: 'x', run() {} }, { name: 'peek all', summary: 'x', run() {} }]",
    'adds the command "peek all", but there is a command "peek" of a plugin',
  ],
])('the command %s is refused', async (commands, message) => {
  const { code, stderr } = await run(['peek'], { env: await writePlugin(commands) })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('an error of a command exits with 1 and names the plugin', async () => {
  const env = await writePlugin("[{ name: 'peek', summary: 'x', run() { throw new Error('no queue ☃') } }]")
  const { code, stderr } = await run(['peek'], { env })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/plugin-\d+: no queue ☃/)])
})
