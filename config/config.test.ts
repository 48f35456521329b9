import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { secret } from '#core'
import { coreSettings, envName, loadConfig, markdownTable, shownValue } from './index.js'

const folder = mkdtempSync(join(tmpdir(), 'mayfly-config-'))
const file = (content: string, name = 'mayfly.config.json') => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
interface LoadOptions {
  json?: unknown
  env?: object
  flags?: object
  options?: Record<string, string>
}
const load = ({ json, env = {}, flags = {}, options = {} }: LoadOptions = {}) =>
  loadConfig({
    file: {
      path: json === undefined ? '/nonexistent/mayfly.config.json' : file(JSON.stringify(json)),
      required: false,
    },
    env: env as Record<string, string>,
    flags: flags as Record<string, string>,
    options,
  })
const originOf = (key: string, settings: { key: string; origin: string }[]) =>
  settings.find((setting) => setting.key === key)?.origin

const acme = z.strictObject({
  url: secret(z.string().describe('where')),
  poolSize: z.coerce.number().int().default(10),
})

describe('each source overrides the one before it', () => {
  const json = { port: 1000, acme: { url: 'from-file' } }
  test('defaults', () => {
    const { values, settings } = load().section(null, coreSettings)
    expect(values).toMatchObject({ storage: 'sqlite', port: 3000, plugins: ['web'], readGraceSeconds: 60 })
    expect(originOf('port', settings)).toBe('default')
  })
  test('file', () => {
    const config = load({ json })
    expect(config.section(null, coreSettings).values?.port).toBe(1000)
    expect(config.section('acme', acme).values).toEqual({ url: 'from-file', poolSize: 10 })
    expect(config.listProblems()).toEqual([])
  })
  test('environment', () => {
    const config = load({
      json,
      env: { MAYFLY_PORT: '2000', MAYFLY_ACME_POOL_SIZE: '3', MAYFLY_PLUGINS: 'a, ./b.js,' },
    })
    const core = config.section(null, coreSettings)
    expect(core.values).toMatchObject({ port: 2000, plugins: ['a', './b.js'] })
    expect(originOf('port', core.settings)).toBe('MAYFLY_PORT')
    expect(config.section('acme', acme).values?.poolSize).toBe(3)
  })
  test('off means no limit, empty the default', () => {
    const limits = (env: object) => load({ env }).section(null, coreSettings).values
    expect(limits({})).toMatchObject({ userBytesPerDay: 10 ** 10, instanceBytes: null })
    const set = limits({ MAYFLY_USER_BYTES_PER_DAY: 'off', MAYFLY_INSTANCE_BYTES: '5000' })
    expect(set).toMatchObject({ userBytesPerDay: null, instanceBytes: 5000 })
    expect(limits({ MAYFLY_USER_BYTES_PER_DAY: '' })).toMatchObject({ userBytesPerDay: 10 ** 10 })
    const { problems } = load({ env: { MAYFLY_INSTANCE_BYTES: '-1' } }).section(null, coreSettings)
    expect(problems.join()).toContain('instanceBytes')
  })
  test('flags', () => {
    const config = load({
      json,
      env: { MAYFLY_PORT: '2000' },
      flags: { port: '3001', 'acme.url': 'x' },
      options: { port: '--port' },
    })
    const core = config.section(null, coreSettings)
    expect(core.values?.port).toBe(3001)
    expect(originOf('port', core.settings)).toBe('--port')
    const section = config.section('acme', acme)
    expect(section.values?.url).toBe('x')
    expect(originOf('acme.url', section.settings)).toBe('--set acme.url')
  })
})

test('a variable with the suffix _FILE is read from that file, without the final newline', () => {
  const path = file('s3cret\n', 'url')
  expect(load({ env: { MAYFLY_ACME_URL_FILE: path } }).section('acme', acme).values?.url).toBe('s3cret')
})

test('an empty variable counts as unset', () => {
  expect(load({ env: { MAYFLY_PORT: '' } }).section(null, coreSettings).values?.port).toBe(3000)
})

describe('every problem is reported with its source and without its value', () => {
  const problems = (sources: Parameters<typeof load>[0]) => {
    const config = load(sources)
    return [
      ...config.section(null, coreSettings).problems,
      ...config.section('acme', acme).problems,
      ...config.listProblems(),
    ]
  }

  test('all at once', () => {
    const json = { port: 'hunter2', colour: 1, acme: { url: 1, pool: 2 }, other: { a: 1 } }
    const told = problems({ json, env: { MAYFLY_READ_GRACE_SECONDS: 'hunter2' }, flags: { nothing: 'hunter2' } })
    expect(told.map((line) => line.replace(/\(\/.*\)/, '(file)'))).toEqual([
      expect.stringMatching(/^port: must be a number \(file\)$/),
      expect.stringMatching(/^readGraceSeconds: .* \(MAYFLY_READ_GRACE_SECONDS\)$/),
      expect.stringMatching(/^acme\.url: .* \(file\)$/),
      'nothing is not a setting',
      'colour is not a setting',
      'acme.pool is not a setting',
      'other is not a setting',
    ])
    expect(told.join()).not.toContain('hunter2')
  })

  test('a missing setting is reported with the places to set it', () => {
    expect(problems({})).toEqual(['acme.url: is missing (set it in mayfly.config.json or as MAYFLY_ACME_URL)'])
  })

  test.each([' 1', '1.5', '0x10', '-1', '65536', '1e3', 'tcp://10.0.0.1:3000'])('a port of %j', (port) => {
    expect(problems({ env: { MAYFLY_PORT: port, MAYFLY_ACME_URL: 'x' } })).toHaveLength(1)
  })

  test.each(['example.org', 'ftp://example.org', 'https://a@b', 'https://a?b', 'javascript:1', 'https://a b'])(
    'a public URL of %j',
    (publicUrl) => {
      expect(problems({ flags: { publicUrl, 'acme.url': 'x' } })).toHaveLength(1)
    },
  )

  test('the trailing slash of a public URL is removed', () => {
    const { values } = load({ flags: { publicUrl: 'https://example.org/mayfly/' } }).section(null, coreSettings)
    expect(values?.publicUrl).toBe('https://example.org/mayfly')
  })

  test('a file that is not JSON is refused without quoting it', () => {
    for (const content of ['{"port": hunter2', '[]', 'null', '']) {
      const path = file(content, 'bad.json')
      const told = loadConfig({ file: { path, required: true }, env: {}, flags: {} }).listProblems()
      expect(told).toHaveLength(1)
      expect(told[0]).toContain(path)
      expect(told[0]).not.toContain('hunter2')
    }
  })

  test.each([
    ['a trailing comma', '{\n  "port": 1,\n}\n', 3],
    ['a bare word', '{\n  "port": hunter2\n}\n', 2],
    ['a bare word in a list', '{\n  "plugins": [\n    "web",\n    hunter2\n  ]\n}', 4],
    ['a comment', '{\n  "port": 1,\n  // "hunter2 JSON at position 0"\n  "log": "info"\n}\n', 3],
    ['a comment after a value', '{\r\n  "port": // hunter2\r\n  1\r\n}\r\n', 2],
    ['a missing brace', '{\n  "log": "info"\n\n\n', 2],
    ['a missing comma', '{\n  "port": 1\n  "log": "info"\n}\n', 3],
    ['a missing value', '{\n  "port":\n}\n', 3],
    ['a key in single quotes', "{\n  'hunter2': 1\n}\n", 2],
    ['a value in single quotes', '{\n  "port": 1,\n  "log": \'hunter2 JSON at position 0\'\n}\n', 3],
    ['a text without its end', '{\n  "log": "hunter2\n}\n', 2],
    ['a second object', '{}\n{}\n', 2],
    ['a byte order mark', '\ufeff{}\n', 1],
    ['nothing', '', 1],
  ])('the line of a syntax error is named: %s', (_, content, line) => {
    const path = file(content, 'bad.json')
    const told = loadConfig({ file: { path, required: true }, env: {}, flags: {} }).listProblems()
    expect(told).toEqual([`The config file ${path} could not be read: it is not valid JSON, line ${line}.`])
  })

  test('a missing file named by the user is refused', () => {
    const config = loadConfig({ file: { path: '/nonexistent.json', required: true }, env: {}, flags: {} })
    expect(config.listProblems()).toEqual(['The config file /nonexistent.json does not exist.'])
  })

  test('a missing _FILE is refused', () => {
    const told = problems({ env: { MAYFLY_ACME_URL_FILE: '/nonexistent' } })
    expect(told).toContain('MAYFLY_ACME_URL_FILE: /nonexistent could not be read: ENOENT')
  })
})

test('a secret is never printed, whatever its source', () => {
  const path = file('hunter2', 'secret')
  chmodSync(path, 0o600)
  const sources = [
    { json: { acme: { url: 'hunter2' } } },
    { env: { MAYFLY_ACME_URL: 'hunter2' } },
    { env: { MAYFLY_ACME_URL_FILE: path } },
    { flags: { 'acme.url': 'hunter2', 'acme.poolSize': 'x' } },
  ]
  for (const source of sources) {
    const section = load(source).section('acme', acme)
    const shown = section.settings.map((setting) => [setting.key, shownValue(setting)])
    expect(JSON.stringify(shown) + section.problems.join()).not.toContain('hunter2')
    expect(shown).toContainEqual(['acme.url', '********'])
  }
})

test('names of variables are derived from the keys', () => {
  expect(envName('publicUrl')).toBe('MAYFLY_PUBLIC_URL')
  expect(envName('local-files.maxTextBytes')).toBe('MAYFLY_LOCAL_FILES_MAX_TEXT_BYTES')
})

test('the reference has a row for every setting with default and description', () => {
  const table = markdownTable(null, coreSettings)
  expect(table).toContain('| `port` | `MAYFLY_PORT` | `3000` | Port to listen on; 0: any free port. |')
  expect(table).toContain('| `plugins` | `MAYFLY_PLUGINS` | `web` | Further plugins, in order. |')
  for (const key of Object.keys(coreSettings.shape)) expect(table).toMatch(new RegExp(`\\| \`${key}\` .* \\| \\S.*\\|`))
})
