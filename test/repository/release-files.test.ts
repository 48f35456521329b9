/** Files of a release that no tool of this repository runs: they parse, and repeat nothing that has one place. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '#package' with { type: 'json' }
import { ROOT } from '#test/source-files'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const TEMPLATES = 'docs/install/templates'
const CHECKSUM = 'c'.repeat(64)

type Values = Record<string, string>
const { fillTemplate, valuesOf } = (await import(join(ROOT, 'scripts/release/templates.mjs'))) as {
  fillTemplate(text: string, values: Values, sha256: (file: string) => string): string
  valuesOf(names: { repository: string; image: string }): Values
}
const values = valuesOf({ repository: 'https://git.example.org/team/mayfly', image: 'images.example.org/team/mayfly' })
const fill = (name: string) => fillTemplate(read(join(TEMPLATES, name)), values, () => CHECKSUM)

/** Throws an error, or returns whether brackets or tags are closed, for languages without a parser here. */
const PARSERS: Record<string, (text: string) => unknown> = {
  yaml: (text) => parse(text),
  yml: (text) => parse(text),
  json: (text) => JSON.parse(text),
  xml: (text) => expect(unclosedTags(text)).toEqual([]),
  rb: (text) =>
    expect(text.match(/^\s*(class|def|test do|service do)\b/gm)).toHaveLength(text.match(/^\s*end$/gm)?.length ?? 0),
  nix: (text) => {
    for (const [open, close] of ['{}', '[]', '()']) {
      expect(text.split(open as string)).toHaveLength(text.split(close as string).length)
    }
  },
  PKGBUILD: (text) => expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0 }),
}

function unclosedTags(text: string): string[] {
  const open: string[] = []
  for (const [, isEnd, name = '', isEmpty] of text.matchAll(/<(\/?)([A-Za-z]+)(?:\s+\w+="[^"<]*")*\s*(\/?)>/g)) {
    if (isEnd) expect(open.pop()).toBe(name)
    else if (!isEmpty) open.push(name)
  }
  return open
}

const names = readdirSync(join(ROOT, TEMPLATES))

test.each(names)('the template %s is well-formed and names nothing that has one place', (name) => {
  const text = fill(name)
  expect(text).not.toMatch(/@\w+@|VERSION|undefined/)
  const parser = PARSERS[name.replace(/^.*\./, '')]
  expect(parser, 'a parser').toBeDefined()
  parser?.(text)
  for (const repeated of [values.port, values.data, values.user, values.version]) {
    expect(read(join(TEMPLATES, name))).not.toMatch(new RegExp(`(?<![w/])${repeated}(?![w/])`))
  }
})

test('templates of containers have the image, port and folder of the Dockerfile', () => {
  const dockerfile = read('Dockerfile')
  expect(dockerfile).toContain(`\nEXPOSE ${values.port}\n`)
  expect(dockerfile).toContain(`\nVOLUME ${values.data}\n`)
  const { image, port, data } = values
  expect(JSON.parse(fill('portainer.json')).templates).toMatchObject([
    { image, ports: [`${port}:${port}/tcp`], volumes: [{ container: data }] },
  ])
  expect(parse(fill('coolify.yaml')).services.mayfly).toMatchObject({ image, volumes: [`mayfly-data:${data}`] })
  expect(parse(fill('casaos.yaml')).services.mayfly).toMatchObject({
    image,
    ports: [`${port}:${port}`],
    volumes: [{ target: data }],
  })
  const { services } = parse(read('docs/install/compose.yaml'))
  expect(services.mayfly).toMatchObject({
    image: `\${IMAGE:-mayfly}`,
    build: '../..',
    ports: [`127.0.0.1:${port}:${port}`],
    volumes: [`data:${data}`],
  })
  expect(image).toBe(`images.example.org/team/mayfly:${manifest.version}`)
})

interface Schema {
  type: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
}

/** Paths of the values that differ between the defaults and the schema. */
function listDifferences(schema: Schema, value: unknown, path: string): string[] {
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
  if (![schema.type].flat().includes(type)) return [path]
  if (!schema.properties || type !== 'object') return []
  const known = new Set([...Object.keys(schema.properties), ...Object.keys(value as object)])
  return [...known].flatMap((key) => {
    const each = schema.properties?.[key]
    const at = `${path}.${key}`
    if (key === 'global') return []
    return each && key in (value as object) ? listDifferences(each, (value as Record<string, unknown>)[key], at) : [at]
  })
}

test('values.schema.json has every value of the chart with its type, and refuses others', () => {
  const schema = JSON.parse(read('docs/install/chart/values.schema.json')) as Schema
  expect(listDifferences(schema, parse(read('docs/install/chart/values.yaml')), '')).toEqual([])
  expect(schema.additionalProperties).toBe(false)
})

test('the release workflow gives each job its own permissions', () => {
  const { permissions, jobs } = parse(read('.github/workflows/release.yml')) as {
    permissions: object
    jobs: Record<string, { permissions: Record<string, string> }>
  }
  expect(permissions).toEqual({})
  expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
    build: { contents: 'read' },
    image: { packages: 'write' },
    registry: { packages: 'write', 'id-token': 'write' },
    npm: { contents: 'read', 'id-token': 'write' },
    github: { contents: 'write', 'id-token': 'write', attestations: 'write' },
  })
})

test.each([
  [
    'without a repository',
    [],
    'package.json has no "repository": npm pkg set repository=https://github.com/OWNER/NAME',
  ],
  [
    'with the tag of another version',
    ['--dry-run', '--tag', 'v9.9.9'],
    `the tag v9.9.9 is not v${manifest.version} of package.json`,
  ],
  ['with an unknown flag', ['--dryrun'], "Unknown option '--dryrun'"],
  ['for an unknown processor', ['--dry-run', '--architecture', 'mips'], '--architecture must be one of x64, arm64'],
  ['for one processor only', ['--architecture', 'x64'], '--architecture needs --dry-run'],
])('a release %s ends with one line before it writes a file', (_, args, message) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/release/release.mjs'), ...args], {
    encoding: 'utf8',
  })
  expect(stderr).toContain(`release: error: ${message}`)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
})
