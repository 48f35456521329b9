/** `mayfly plugin list` and `mayfly plugin check`: without a database. */
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { needs } from '#test/needs'
import { run } from '#test/run-cli'

const fixtures = fileURLToPath(new URL('../test/fixtures/plugins', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-plugins-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function text(args: string[], env: Record<string, string> = {}) {
  const { stdout, stderr, code } = await run(args, { cwd: folder, env })
  return { stdout: `${stdout}`, stderr, code }
}

describe('plugin list', () => {
  const env = { MAYFLY_PLUGINS: `web,${fixtures}/greeting.js,${fixtures}/notice.js` }

  test('names each plugin, its version and contract, and what it provides', async () => {
    const { stdout, code } = await text(['plugin', 'list'], env)
    const { version } = manifest
    expect(stdout.split('\n').map((line) => line.split('\t'))).toEqual([
      ['sqlite', 'built in', version, '1', 'storage'],
      ['local-files', 'built in', version, '1', 'files'],
      ['local-auth', 'built in', version, '1', 'auth'],
      ['web', 'built in', version, '1', ''],
      ['greeting', `${fixtures}/greeting.js`, version, '1', 'commands'],
      ['notice', `${fixtures}/notice.js`, version, '1', 'settings'],
      [''],
    ])
    expect(code).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })

  test('--json lists commands and settings by name', async () => {
    const { stdout } = await text(['plugin', 'list', '--json'], env)
    expect(JSON.parse(stdout).slice(-2)).toMatchObject([
      { name: 'greeting', slots: [], commands: ['greeting print'], settings: [] },
      { name: 'notice', commands: [], settings: ['notice.text', 'notice.level'] },
    ])
  })
})

describe('a config file in the working folder', () => {
  const config = 'mayfly.config.json'
  const code = (file: string) =>
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(file)}, '')\nthrow new Error('loaded')`
  const commands = [['config', 'list'], ['plugin', 'list'], ['doctor'], ['user', 'list'], ['serve']]

  test.each(['evil.mjs', config])('loads no plugin while every user can write to %s', async (writable) => {
    const place = await mkdtemp(join(folder, 'shared-'))
    const trace = join(place, 'loaded ☃')
    await writeFile(join(place, 'evil.mjs'), code(trace), { mode: 0o644 })
    await writeFile(join(place, config), '{ "plugins": ["web", "./evil.mjs"] }', { mode: 0o644 })
    await chmod(join(place, writable), 0o666)
    for (const command of commands) {
      const { code, stderr, stdout } = await run(command, { cwd: place, env: {} })
      expect(code, command.join(' ')).toBe(command[0] === 'doctor' ? 9 : 2)
      expect(stderr + stdout).toContain(`every user of this machine can change ${join(place, writable)}`)
      expect(stderr + stdout).toContain('--config')
    }
    expect(await readdir(place)).not.toContain('loaded ☃')
    // The user names the file.
    await run(['config', 'list', '--config', join(place, config)], { cwd: place, env: {} })
    expect(await readdir(place)).toContain('loaded ☃')
  })

  test('loads no plugin of another user', needs('root'), async () => {
    const place = await mkdtemp(join(folder, 'foreign-'))
    await writeFile(join(place, 'evil.mjs'), code(join(place, 'loaded')), { mode: 0o644 })
    await writeFile(join(place, config), '{ "plugins": ["web", "./evil.mjs"] }', { mode: 0o644 })
    await chown(join(place, 'evil.mjs'), 12_345, 12_345)
    const { code: rc, stderr } = await run(['config', 'list'], { cwd: place, env: {} })
    expect(rc).toBe(2)
    expect(stderr).toContain('another user owns')
  })
})

describe('plugin check', () => {
  const check = async (code: string, args: string[] = []) => {
    const name = `p${Math.floor(performance.now() * 1000)}.mjs`
    await writeFile(join(folder, name), code)
    return text(['plugin', 'check', `./${name}`, ...args])
  }
  /** A plugin without imports. `schema` describes an option. */
  const plugin = (rest: string, options = '') => `
    const text = (description, fallback) => ({
      description,
      safeParse: (value) => ({ success: value !== undefined || fallback !== undefined, data: value ?? fallback }),
    })
    const shape = { ${options} }
    const safeParse = (data) => {
      const missing = Object.keys(shape).filter((name) => !shape[name].safeParse(data[name]).success)
      const issues = missing.map((name) => ({ path: [name], message: 'is missing' }))
      return missing.length === 0 ? { success: true, data } : { success: false, error: { issues } }
    }
    export default { contract: 1, name: 'my-plugin', options: { safeParse, shape }, ${rest} }`

  test('reports what a valid plugin provides', async () => {
    const { stdout, code } = await text(['plugin', 'check', `${fixtures}/tally.js`])
    expect(stdout).toBe(
      'ok    load: plugin "tally", contract 1\nok    options: 1 option\nok    setup: returns the hooks on, routes, close\n',
    )
    expect(code).toBe(0)
    const { stdout: json } = await text(['plugin', 'check', `${fixtures}/notice.js`, '--json'])
    expect(JSON.parse(json)).toMatchObject({
      name: 'notice',
      hooks: ['routes'],
      settings: ['notice.text', 'notice.level'],
    })
  })

  test.each([
    ['./no-contract.js', 'has no contract number'],
    ['./contract-2.js', 'was written for plugin contract 2'],
    ['./no-default.js', 'no default export made with definePlugin()'],
    ['./nothere.js', 'nothere.js does not exist'],
    ['./throws-on-setup.js', 'setup: setup failed: '],
  ])('%s exits with 9', async (file, message) => {
    const { stdout, stderr, code } = await text(['plugin', 'check', join(fixtures, file)])
    expect([stdout, code]).toEqual([expect.stringMatching(/^fail /m), 9])
    expect(stdout).toContain(message)
    expect(stderr).toContain('1 check failed')
  })

  test('reports every problem of the hooks', async () => {
    const { stdout, code } = await check(
      plugin(`setup: () => ({
        rout: [],
        on: { 'secret.opened': () => {} },
        routes: [
          { method: 'GET', path: '/secret/x', summary: 'x', access: 'anyone', handle() {} },
          { method: 'GET', path: '/x/:id', summary: 'x', access: 'anyone', handle() {} },
        ],
        channels: [{ name: 'Größe', to: 'operator' }],
        auth: () => [{ id: 'A' }],
        close() { throw new Error('no ☃') },
      })`),
    )
    expect(stdout.match(/^fail .*/gm)).toEqual([
      'fail  setup: unknown hook: rout',
      'fail  setup: unknown event in on: secret.opened',
      expect.stringContaining('/secret belongs to Mayfly'),
      expect.stringContaining('params must have the parameters of the path'),
      expect.stringContaining('"Größe" is not a valid name of a channel'),
      expect.stringContaining('"A" is not a valid auth provider id'),
      'fail  setup: close failed: no ☃',
    ])
    expect(code).toBe(9)
  })

  test('a plugin without its required options is not started, which is a warning', async () => {
    const code = plugin("setup() { throw new Error('started') }", "url: text('URL'), size: text(undefined, 5)")
    const missing = await check(code)
    expect(missing.code).toBe(0)
    expect(missing.stdout).toMatch(/^warn {2}options: my-plugin\.size: has no description/m)
    expect(missing.stdout).toMatch(/^warn {2}options: my-plugin\.url: is missing/m)
    expect(missing.stdout).toMatch(/^warn {2}setup: not started/m)
    const given = await check(code, ['--set', 'my-plugin.url=https://example.org'])
    expect(given).toMatchObject({ code: 9, stdout: expect.stringContaining('setup failed: started') })
  })

  test('an option that a variable cannot set is a warning', async () => {
    const strict = `import { z } from 'zod'
      export default { contract: 1, name: 'my-plugin', setup: () => ({}),
        options: z.object({ size: z.int().default(5).describe('size'), name: z.string().default('').describe('name') }) }`
    const { stdout, code } = await check(strict.replace("'zod'", JSON.stringify(import.meta.resolve('zod'))))
    expect(stdout.match(/^warn .*/gm)).toEqual([expect.stringContaining('MAYFLY_MY_PLUGIN_SIZE cannot set it')])
    expect(code).toBe(0)
  })

  test('an invalid command and the name of a built-in plugin fail', async () => {
    const { stdout } = await check(
      plugin("commands: [{ name: 'secret x', summary: 'x', run() {} }], setup: () => ({})"),
    )
    expect(stdout).toMatch(/^fail {2}commands: .*"secret" is a command of Mayfly/m)
    const code = plugin('setup: () => ({})').replace("name: 'my-plugin'", "name: 'web'")
    expect((await check(code)).stdout).toMatch(/^fail {2}load: the name "web" belongs to a built-in plugin/m)
  })
})
