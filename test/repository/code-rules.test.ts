/** Rules about the code that no other tool checks: allowed imports, forbidden expressions, sizes and file names. */
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { filesEnding, type Import, importsOf, nodesOf, parse } from '#test/source-files'

/** A room is a folder whose files import each other by relative paths. From elsewhere it imports what is named here. */
interface Room {
  /** Doors of package.json, and other rooms by relative path. A `*` at the end stands for anything. */
  may?: string[]
  /** By `import type` only, also where `may` says more. */
  types?: string[]
  /** By `import()` only. */
  lazily?: string[]
  /** Packages; without the list, any. */
  packages?: string[]
}

/** Nothing points back up. */
const ROOMS: Record<string, Room> = {
  config: {},
  migrations: {},
  'core/shared': { packages: ['age-encryption', '@noble/*', '@scure/*', 'zod'] },
  core: { may: ['core/shared'], types: ['#config'] },
  'core/testing': { may: ['core', 'core/shared'] },
  'plugins/knex': { may: ['#core', '#shared/*', '#migrations'] },
  'plugins/sqlite': { may: ['#core', '#shared/*', '#plugins/knex'] },
  'plugins/postgres': { may: ['#core', '#plugins/knex'] },
  'plugins/mysql': { may: ['#core', '#plugins/knex'] },
  'plugins/*': { may: ['#core', '#shared/*'] },
  plugins: { lazily: ['plugins/*'] },
  // The schemas of the API would bring zod onto the page.
  web: { may: ['#shared/*'], types: ['#shared/api'] },
  cli: { may: ['#core', '#core/runtime', '#shared/*', '#config', '#plugins', '#package'] },
  // The tools' own files beside package.json.
  '': { may: ['test'] },
  test: { may: ['#*', 'bench', 'web'] },
  bench: { may: ['#*'] },
}

/** Files that test or measure: they may use any package and enter here too. */
const TESTS = /\.test\.tsx?$|^core\/testing\/|^test\/|^bench\//
const TESTS_MAY = ['#*', 'core/testing']

interface Ban {
  rule: string
  /** Files that it does not bind, each with its reason. */
  except: { files: RegExp; because: string }[]
  found(node: ts.Node): boolean
}

const BANS: Ban[] = [
  {
    rule: 'only cli and config read the environment or speak to the terminal',
    except: [
      { files: /^(cli|config)\//, because: 'it is their task; everyone else is given settings and a log' },
      { files: TESTS, because: 'they look at the machine they run on' },
      { files: /\.config\.ts$/, because: 'tools run them' },
    ],
    found: (node) => isNamed(node, 'console') || /(^|\.)process\.(env|argv|exit|std\w+)$/.test(property(node)),
  },
  {
    rule: 'randomness comes from the CSPRNG',
    except: [],
    found: (node) => property(node) === 'Math.random',
  },
  {
    rule: 'no HTML is made from strings',
    except: [],
    found: (node) => isNamed(node, 'dangerouslySetInnerHTML', 'innerHTML', 'outerHTML', 'insertAdjacentHTML'),
  },
  {
    rule: 'tokens, proofs and hashes are compared in constant time',
    except: [{ files: TESTS, because: 'nobody times them' }],
    found: comparesCredentials,
  },
]

/** Longer ones have more than one purpose. */
const FUNCTION_LINES = 60
/** Files with longer ones, each with its reason. */
const LONG_FUNCTIONS: Record<string, string> = {
  'cli/reference/bash.ts': 'one shell script as a template',
  'cli/reference/zsh.ts': 'one shell script as a template',
  'core/shared/client/client.ts': 'one entry for each request of the API',
}

/** Names of files that say nothing about their contents. */
const GENERIC_NAMES = new Set([
  'service',
  'deps',
  'types',
  'util',
  'utils',
  'helper',
  'helpers',
  'misc',
  'load',
  'current',
])
/** The same name in core, in the CLI, on the page and in the SQL storage is fine; more is confusing. */
const SAME_NAME_MAX = 4

const sources = filesEnding('.ts', '.tsx').map((path) => ({ path, file: parse(path) }))
const paths = new Set(sources.map(({ path }) => path))
const imports = sources.flatMap(({ path, file }) => importsOf(file).map((each) => ({ path, ...each })))

test('every import goes through a door that its folder may use', () => {
  expect(imports.flatMap(({ path, ...each }) => problemOf(path, each) ?? [])).toEqual([])
  expect(imports.length).toBeGreaterThan(300)
})

/** Imports inside a part of the product. Types and `import()` count too. */
const productEdges = imports.flatMap(({ path, specifier }) => {
  if (TESTS.test(path) || !specifier.startsWith('.')) return []
  const target = join(dirname(path), specifier).replace(/\.js(\?.*)?$/, '')
  const to = [`${target}.ts`, `${target}.tsx`].find((each) => paths.has(each))
  return to === undefined ? [] : [{ from: path, to }]
})

test('files do not import each other in a cycle', () => {
  expect(findCycles(productEdges)).toEqual([])
  expect(new Set(productEdges.map(({ from }) => from)).size).toBeGreaterThan(450)
})

/** A folder and its own subfolder count as two. */
test('folders do not import each other in a cycle', () => {
  const folderEdges = productEdges
    .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    .filter(({ from, to }) => from !== to)
  expect(findCycles(folderEdges)).toEqual([])
  expect(findCycles([...folderEdges, { from: 'core/lib', to: 'core/secrets' }])).not.toEqual([])
  expect(folderEdges.length).toBeGreaterThan(300)
})

/** So that a file can be found by its name. */
test('file names of the product say what the file contains', () => {
  const names = [...paths].filter((path) => !TESTS.test(path)).map((path) => basename(path).replace(/\.tsx?$/, ''))
  expect(names.filter((name) => GENERIC_NAMES.has(name))).toEqual([])
  const repeated = names.filter((name) => name !== 'index' && count(names, name) > SAME_NAME_MAX)
  expect([...new Set(repeated)]).toEqual([])
})

/** In `web`, shared code does not import features or the app, and a feature imports shared code and itself only. */
test('web imports point from the app to features to shared code', () => {
  const webImports = imports.filter(({ path, specifier }) => /^web\/\w[\w-]*\//.test(path) && specifier.startsWith('.'))
  const upward = webImports.flatMap(({ path, specifier }) => {
    const [from, to] = [webLayerOf(path), webLayerOf(join(dirname(path), specifier))]
    return from === 'app' || to === 'shared' || from === to
      ? []
      : [`${path} imports ${specifier}: ${from} may not use ${to}`]
  })
  expect(upward).toEqual([])
  expect(webImports.length).toBeGreaterThan(300)
})

test('no function of the product is longer than 60 lines', () => {
  const product = sources.filter(({ path }) => !TESTS.test(path) && !(path in LONG_FUNCTIONS))
  const long = product.flatMap(({ path, file }) =>
    nodesOf(file)
      .filter((node) => ts.isFunctionLike(node) && linesOf(file, node) > FUNCTION_LINES)
      .map(
        (node) =>
          `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${linesOf(file, node)} lines`,
      ),
  )
  expect(long).toEqual([])
  expect(product.length).toBeGreaterThan(500)
})

test('every door is used', () => {
  const unused = Object.keys(manifest.imports).filter((door) => !imports.some(({ specifier }) => fits(door, specifier)))
  expect(unused).toEqual([])
})

test.each(BANS)('$rule', ({ except, found }) => {
  const bound = sources.filter(({ path }) => !except.some(({ files }) => files.test(path)))
  const places = bound.flatMap(({ path, file }) =>
    nodesOf(file)
      .filter(found)
      .map((node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`),
  )
  expect(places).toEqual([])
  expect(bound.length).toBeGreaterThan(50)
})

/** One sentence, or null when the import is fine. */
function problemOf(path: string, { specifier, kind }: Import): string | null {
  const room = roomOf(path)
  const { may = [], types = [], lazily = [], packages } = ROOMS[room.key] as Room
  const isTest = TESTS.test(path)
  const refused = (why: string) => `${path} imports ${specifier}: ${why}`
  if (!/^[.#]/.test(specifier)) {
    if (isTest || !packages || packages.some((pattern) => fits(pattern, specifier))) return null
    return refused(`the only packages in ${room.name} are ${packages.join(', ')}`)
  }
  const target = specifier.startsWith('.') ? roomOf(join(dirname(path), specifier)).name : specifier
  const listed = (patterns: string[]) => patterns.some((pattern) => fits(pattern, target))
  if (target === room.name || (isTest && listed(TESTS_MAY))) return null
  if (listed(types)) return kind === 'type' ? null : refused('only as a type')
  if (listed(lazily)) return kind === 'lazy' ? null : refused('only by import()')
  return listed(may) ? null : refused(`${room.name || 'the root'} may not use ${target || 'the root'}`)
}

/** `app`, `shared`, or the folder of a feature. */
function webLayerOf(path: string): string {
  if (path.startsWith('web/app/')) return 'app'
  return /^web\/features\/[\w-]+/.exec(path)?.[0] ?? 'shared'
}

/** `name`: the folder that is the room of this file. `key`: its entry in ROOMS. */
function roomOf(path: string): { name: string; key: string } {
  const [top = '', below = '', ...deeper] = path.split('/')
  for (const name of deeper.length > 0 ? [`${top}/${below}`, top] : [top]) {
    const key = [name, name.replace(/\/.*/, '/*')].find((pattern) => pattern in ROOMS)
    if (key !== undefined) return { name, key }
  }
  return { name: '', key: '' }
}

/** Each cycle as `a -> b -> a`. */
function findCycles(edges: { from: string; to: string }[]): string[] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (node: string, path: string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' -> '))
    if (path.includes(node) || done.has(node)) return
    for (const next of targets.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of targets.keys()) visit(node, [])
  return cycles
}

const count = (names: string[], name: string): number => names.filter((each) => each === name).length

const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

const property = (node: ts.Node): string => (ts.isPropertyAccessExpression(node) ? node.getText() : '')

const isNamed = (node: ts.Node, ...names: string[]) => ts.isIdentifier(node) && names.includes(node.text)

const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
])

/** `a === b` where a name on either side says that it is a credential. A comparison with a constant tells nothing. */
function comparesCredentials(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !EQUALITY.has(node.operatorToken.kind)) return false
  const sides = [node.left, node.right]
  return !sides.some(isConstant) && sides.some((side) => /token|hash|proof/i.test(side.getText()))
}

const isConstant = (node: ts.Node) =>
  ts.isLiteralExpression(node) || node.kind === ts.SyntaxKind.NullKeyword || isNamed(node, 'undefined')

function linesOf(file: ts.SourceFile, node: ts.Node): number {
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line
  return lineAt(node.getEnd()) - lineAt(node.getStart()) + 1
}
