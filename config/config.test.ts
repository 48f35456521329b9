import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { secret } from '#core'
import { coreSettings, envName, isServiceVariable, loadConfig, markdownTable, shownValue } from './index.js'

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
    expect(values).toMatchObject({ storage: 'sqlite', port: 3000, plugins: ['web'], readGraceSeconds: 600 })
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
    expect(limits({})).toMatchObject({ userBytesPerDay: 10 ** 10, instanceBytes: 'auto' })
    expect(limits({ MAYFLY_INSTANCE_BYTES: 'off' })).toMatchObject({ instanceBytes: null })
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

test('V13.3.1: a variable with the suffix _FILE is read from that file, without the final newline', () => {
  const path = file('s3cret\n', 'url')
  expect(load({ env: { MAYFLY_ACME_URL_FILE: path } }).section('acme', acme).values?.url).toBe('s3cret')
})

test.each<[string, (text: string) => Buffer]>([
  ['a byte order mark and CRLF', (text) => Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`)],
  ['UTF-16 of PowerShell', (text) => Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le')],
])('config and secret files may have %s', (_, encode) => {
  const path = file('', 'encoded.json')
  writeFileSync(path, encode('{\n  "port": 1234,\n  "acme": { "poolSize": 2 }\n}\n'))
  const secretFile = file('', 'encoded')
  writeFileSync(secretFile, encode('s3cret ☃\n'))
  const config = loadConfig({ file: { path, required: true }, env: { MAYFLY_ACME_URL_FILE: secretFile }, flags: {} })
  expect(config.section(null, coreSettings).values?.port).toBe(1234)
  expect(config.section('acme', acme).values).toEqual({ url: 's3cret ☃', poolSize: 2 })
  expect(config.listProblems()).toEqual([])
})

test('variables of Kubernetes services are ignored', () => {
  const env = { MAYFLY_PORT: 'tcp://10.0.0.1:3000', MAYFLY_ACME_URL: 'tcp://10.0.0.1:3000' }
  expect(load({ env }).section(null, coreSettings)).toMatchObject({ values: { port: 3000 }, problems: [] })
  expect(load({ env }).section('acme', acme).values?.url).toBe('tcp://10.0.0.1:3000')
  const names = [
    'MAYFLY_SERVICE_HOST',
    'MAYFLY_SERVICE_PORT_HTTP',
    'MAYFLY_PORT_3000_TCP_ADDR',
    'MAYFLY_WEB_SERVICE_PORT',
  ]
  expect(names.filter((name) => !isServiceVariable(name))).toEqual([])
  expect(['MAYFLY_PORT', 'MAYFLY_SMTP_HOST', 'MAYFLY_PUBLIC_URL'].filter((name) => isServiceVariable(name))).toEqual([])
})

test('sizes, durations and booleans accept units and words', () => {
  const json = {
    maxFileBytes: '1GB',
    instanceBytes: '2TiB',
    userBytesPerDay: 'off',
    ttlMaxUser: '30d',
    auditDays: '4w',
  }
  const env = {
    MAYFLY_CLEANUP_SECONDS: '1m',
    MAYFLY_VISITOR_UPLOADS: 'no',
    MAYFLY_AUDIT_SECRETS: '1',
    MAYFLY_ALLOW_HTTP: 'on',
  }
  expect(load({ json, env }).section(null, coreSettings)).toMatchObject({
    problems: [],
    values: {
      maxFileBytes: 1e9,
      instanceBytes: 2 * 2 ** 40,
      userBytesPerDay: null,
      ttlMaxUser: 30 * 86_400,
      auditDays: 28,
      cleanupSeconds: 60,
      visitorUploads: false,
      auditSecrets: true,
      allowHttp: true,
    },
  })
  for (const invalid of [
    { ttlMaxUser: '90500ms' },
    { auditDays: '36h' },
    { maxFileBytes: '1.5GB' },
    { ttlMaxUser: '2y' },
  ]) {
    expect(load({ json: invalid }).section(null, coreSettings).problems.join()).toMatch(/must be a (number|size)/)
  }
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

  test('SEC-42: all at once', () => {
    const json = { port: 'hunter2', colour: 1, acme: { url: 1, pool: 2 }, other: { a: 1 } }
    const told = problems({ json, env: { MAYFLY_READ_GRACE_SECONDS: 'hunter2' }, flags: { nothing: 'hunter2' } })
    expect(told.map((line) => line.replace(/\(\/.*\)/, '(file)'))).toEqual([
      expect.stringMatching(/^port: must be a number \(file\)$/),
      expect.stringMatching(/^readGraceSeconds: .* \(MAYFLY_READ_GRACE_SECONDS\)$/),
      expect.stringMatching(/^acme\.url: .* \(file\)$/),
      'nothing is not a setting (--set nothing)',
      expect.stringMatching(/^colour is not a setting \(file\)$/),
      expect.stringMatching(/^acme\.pool is not a setting \(file\)$/),
      expect.stringMatching(/^other is not a setting \(file\)$/),
    ])
    expect(told.join()).not.toContain('hunter2')
  })

  test('a missing setting is reported with the places to set it', () => {
    expect(problems({})).toEqual(['acme.url: is missing (set it in mayfly.config.json or as MAYFLY_ACME_URL)'])
  })

  test.each([' 1', '1.5', '0x10', '-1', '65536', '1e3', 'https://10.0.0.1:3000'])('a port of %j', (port) => {
    expect(problems({ env: { MAYFLY_PORT: port, MAYFLY_ACME_URL: 'x' } })).toHaveLength(1)
  })

  test.each([
    'example.org',
    'ftp://example.org',
    'https://a@b',
    'https://a?b',
    'javascript:1',
    'https://a b',
    'https://a:b',
  ])('a public URL of %j', (publicUrl) => {
    expect(problems({ flags: { publicUrl, 'acme.url': 'x' } })).toHaveLength(1)
  })

  test.each([
    ['https://example.org/mayfly/', 'https://example.org/mayfly'],
    ['HTTPS://Example.ORG:443/', 'https://example.org'],
    ['https://müller.example', 'https://xn--mller-kva.example'],
    ['http://[2001:DB8::1]:8080', 'http://[2001:db8::1]:8080'],
  ])('a public URL of %s becomes %s, as browsers write it', (publicUrl, expected) => {
    const { values } = load({ flags: { publicUrl } }).section(null, coreSettings)
    expect(values?.publicUrl).toBe(expected)
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
    ['nothing', '', 1],
  ])('the line of a syntax error is named: %s', (_, content, line) => {
    const path = file(content, 'bad.json')
    const told = loadConfig({ file: { path, required: true }, env: {}, flags: {} }).listProblems()
    expect(told).toEqual([`The config file ${path} could not be read: it is not valid JSON, line ${line}.`])
  })

  test.each([
    [{ publicURL: 1 }, 'publicURL is not a setting (file); did you mean publicUrl?'],
    [{ acme: { url: 'x', poolsiz: 2 } }, 'acme.poolsiz is not a setting (file); did you mean acme.poolSize?'],
    [{ maxFileByte: 2 }, 'maxFileByte is not a setting (file); did you mean maxFileBytes?'],
  ])('an unknown key names the file and the nearest setting: %j', (json, message) => {
    const told = problems({ json, env: { MAYFLY_ACME_URL: 'x' } })
    expect(told.map((line) => line.replace(/\(\/[^)]*\)/, '(file)'))).toEqual([message])
    expect(problems({ flags: { prot: '1', 'acme.url': 'x' } })).toEqual([
      'prot is not a setting (--set prot); did you mean port?',
    ])
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

test('SEC-42, V13.3.1: a secret from any source is never printed', () => {
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

test('credentials and queries of URLs are masked', () => {
  const shown = (value: unknown) => shownValue({ key: 'url', value, origin: '', schema: z.any() })
  expect(shown('https://us☃er:hunter2@example.org/path?sig=hunter2')).toBe(
    '"https://********@example.org/path?********"',
  )
  expect(shown(['redis://:hunter2@cache:6379/0', 'https://a.example/x'])).toBe(
    '["redis://********@cache:6379/0","https://a.example/x"]',
  )
  expect(shown('Mayfly <mayfly@example.org>')).toBe('"Mayfly <mayfly@example.org>"')
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
