/** Rules about the code that no other tool checks: allowed imports, forbidden expressions, sizes and file names. */
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { filesEnding, type Import, importsOf, nodesOf, parse } from '#test/source-files'

/** Allowed imports of a part of the code. Files of one part import each other by relative paths. */
interface Part {
  /** Entries of `imports` in package.json, and other parts by relative path. A trailing `*` matches anything. */
  allowed?: string[]
  /** Allowed with `import type` only, even if `allowed` matches. */
  types?: string[]
  /** Allowed with `import()` only. */
  lazy?: string[]
  /** Allowed packages. Without this list, any package. */
  packages?: string[]
}

/** Reads files of the package on disk, or inside the executable. */
const PACKAGE_FILES = '#core/lib/package-files'

/** Imports point in one direction: no part imports a part that imports it. */
const PARTS: Record<string, Part> = {
  config: { allowed: ['#shared/*'] },
  migrations: {},
  // With a variant for browsers each.
  'core/shared': { allowed: ['#cipher', '#hybrid-kem'], packages: ['@noble/*', '@scure/*', 'papaparse', 'zod'] },
  core: { allowed: ['core/shared'], types: ['#config'] },
  'core/testing': { allowed: ['core', 'core/shared'] },
  'plugins/knex': { allowed: ['#core', '#shared/*', '#migrations'] },
  'plugins/sqlite': {
    allowed: ['#core', PACKAGE_FILES, '#shared/*', '#plugins/knex', '#plugins/knex/connection/knex-internals'],
  },
  'plugins/postgres': { allowed: ['#core', '#plugins/knex', '#plugins/knex/connection/knex-internals'] },
  'plugins/mysql': { allowed: ['#core', '#plugins/knex'] },
  'plugins/metrics': { allowed: ['#core', '#package'] },
  'plugins/web': { allowed: ['#core', PACKAGE_FILES, '#shared/*', '#package'] },
  'plugins/*': { allowed: ['#core', '#shared/*'] },
  plugins: { lazy: ['plugins/*'] },
  // Importing the schemas of the API would add zod to the bundle of the page.
  web: { allowed: ['#shared/*'], types: ['#shared/api'] },
  // Three helpers: client commands start without the rest of core.
  cli: {
    allowed: [
      '#core',
      '#core/backup',
      '#core/runtime',
      '#core/lib/create-folder',
      '#core/lib/operator-error',
      PACKAGE_FILES,
      '#shared/*',
      '#config',
      '#plugins',
      // To read the files of other programs.
      '#plugins/sqlite/drivers/sqlite-driver',
      '#package',
    ],
  },
  // Configuration files of tools beside package.json.
  '': { allowed: ['test'] },
  test: { allowed: ['#*', 'bench', 'web'] },
  bench: { allowed: ['#*'] },
}

/** Tests and benchmarks. They may use any package, and TEST_IMPORTS. */
const TESTS = /\.test\.tsx?$|^core\/testing\/|^test\/|^bench\//
const TEST_IMPORTS = ['#*', 'core/testing']

interface Ban {
  rule: string
  /** Files to which the rule does not apply, each with the reason. */
  except: { files: RegExp; because: string }[]
  matches(node: ts.Node): boolean
}

const BANS: Ban[] = [
  {
    rule: 'only cli and config use the environment or the terminal',
    except: [
      { files: /^(cli|config)\//, because: 'other parts receive settings and a log' },
      { files: TESTS, because: 'they depend on the machine they run on' },
      { files: /\.config\.ts$/, because: 'tools run these files' },
    ],
    matches: (node) => isNamed(node, 'console') || /(^|\.)process\.(env|argv|exit|std\w+)$/.test(property(node)),
  },
  {
    rule: 'CRY-11: randomness comes from the CSPRNG',
    except: [],
    matches: (node) => property(node) === 'Math.random',
  },
  {
    // SEC-06: a server that connects to no address of a request cannot be used to reach other servers.
    rule: 'SEC-06: the server opens no connections',
    except: [
      { files: /^(cli|web)\//, because: 'they are clients' },
      { files: TESTS, because: 'they are clients' },
      { files: /^core\/shared\/client\//, because: 'it is the client of the API' },
      { files: /^plugins\/(audit-syslog|webhook)\//, because: 'the operator names the server' },
      { files: /^plugins\/web\/dev-server\.ts$/, because: 'a developer starts it' },
    ],
    matches: opensConnections,
  },
  {
    rule: 'SEC-01: no HTML is made from strings',
    except: [],
    matches: (node) => isNamed(node, 'dangerouslySetInnerHTML', 'innerHTML', 'outerHTML', 'insertAdjacentHTML'),
  },
  {
    rule: 'V1.2.5: the server starts no programs and evaluates no text',
    except: [
      {
        files: /^(cli\/output|cli\/commands\/(secret|run))\//,
        because: 'clients start the clipboard, the browser, an editor or the command of the user',
      },
      { files: TESTS, because: 'they start the product' },
      {
        files: /^plugins\/sqlite\/drivers\/(node-sqlite|sqlite-thread)\.ts$/,
        because: 'its thread has the code of a file of the program',
      },
      { files: /^scripts\//, because: 'they build the product' },
    ],
    matches: (node) =>
      (ts.isStringLiteral(node) && /^(node:)?(child_process|vm|worker_threads|repl)$/.test(node.text)) ||
      ((ts.isCallExpression(node) || ts.isNewExpression(node)) && isNamed(node.expression, 'eval', 'Function')),
  },
  {
    rule: 'V1.2.5: no regular expression is built from input',
    except: [
      { files: TESTS, because: 'their texts are their own' },
      { files: /\.config\.ts$/, because: 'tools run these files' },
      { files: /^core\/shared\/api\/account\.ts$/, because: 'it contains two constants' },
      { files: /^core\/http\/openapi\/examples\.ts$/, because: 'it contains the pattern of a schema' },
      { files: /^core\/shared\/check-json\.ts$/, because: 'it contains the pattern of a schema' },
      { files: /^plugins\/web\/serve-pages\.ts$/, because: 'it contains the routes of the web app' },
    ],
    matches: (node) =>
      (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
      isNamed(node.expression, 'RegExp') &&
      !(node.arguments?.[0] && ts.isLiteralExpression(node.arguments[0])),
  },
  {
    rule: 'V3.5.5: pages exchange no messages with other windows',
    except: [
      { files: TESTS, because: 'they are not pages' },
      { files: /^web\/features\/compose\/share\//, because: 'a service worker has the origin of its page' },
      { files: /^web\/crypto-worker\//, because: 'a worker has the origin of its page' },
      { files: /^plugins\/sqlite\/drivers\//, because: 'a thread of the server is not a page' },
      {
        files: /^web\/features\/auth\/use-session-renewal\.ts$/,
        because: 'a BroadcastChannel reaches its own origin only',
      },
    ],
    matches: (node) =>
      isNamed(node, 'postMessage', 'onmessage', 'MessageChannel', 'BroadcastChannel') ||
      (ts.isCallExpression(node) &&
        /addEventListener$/.test(node.expression.getText()) &&
        node.arguments[0]?.getText() === "'message'"),
  },
  {
    rule: 'the length of a list in a request is checked before its elements',
    except: [
      { files: /^core\/shared\/api\/limited-list\.ts$/, because: 'it checks the length first' },
      { files: /^(config|plugins)\//, because: 'their lists are options, which the operator writes' },
      {
        files: /^cli\/commands\/agent\//,
        because: 'its lists come from an agent of the user, and MCP needs their schema',
      },
    ],
    matches: (node) =>
      ts.isCallExpression(node) && /\.max$/.test(property(node.expression)) && /^z\s*\.array\(/.test(node.getText()),
  },
  {
    rule: 'commands start without zod: it makes a start slow, and garbage collection of transfers too',
    except: [
      { files: /^(?!cli\/)/, because: 'a server validates all requests with it' },
      { files: TESTS, because: 'they check schemas' },
      { files: /^cli\/commands\/agent\//, because: 'MCP needs its schemas' },
    ],
    matches: (node) =>
      ts.isImportDeclaration(node) && node.moduleSpecifier.getText() === "'zod'" && !node.importClause?.isTypeOnly,
  },
  {
    // SEC-25
    rule: 'SEC-25: tokens, proofs and hashes are compared in constant time',
    except: [
      { files: TESTS, because: 'no attacker can measure them' },
      { files: /^core\/audit\/audit-chain\.ts$/, because: 'everyone who can read the audit log knows its hashes' },
    ],
    matches: comparesCredentials,
  },
]

/** A longer function has more than one purpose. Statements of functions inside it do not count. */
const FUNCTION_MAX = { lines: 80, statements: 40 }

/** File names that do not describe the contents. */
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
/** One file each in core, CLI, web and SQL storage may have the same name. */
const SAME_NAME_MAX = 4

const sources = filesEnding('.ts', '.tsx').map((path) => {
  const file = parse(path)
  return { path, file, nodes: nodesOf(file) }
})
const paths = new Set(sources.map(({ path }) => path))
const imports = sources.flatMap(({ path, file, nodes }) => importsOf(file, nodes).map((each) => ({ path, ...each })))

test('every import is allowed for its part of the code', () => {
  expect(imports.flatMap(({ path, ...each }) => problemOf(path, each) ?? [])).toEqual([])
  expect(imports.length).toBeGreaterThan(300)
})

/** The type of what all use cases share: it names the types of the domains, and they name it. */
const CONTEXT = 'core/app.ts'
const CONTEXT_FIELDS_MAX = 16

/** Imports inside a part of the product. Types and `import()` count too, but not imports of the context. */
const productEdges = imports.flatMap(({ path, specifier }) => {
  if (TESTS.test(path) || !specifier.startsWith('.')) return []
  const target = join(dirname(path), specifier).replace(/\.js(\?.*)?$/, '')
  const to = [`${target}.ts`, `${target}.tsx`].find((each) => paths.has(each))
  return to === undefined || to === CONTEXT ? [] : [{ from: path, to }]
})

test('the context of the use cases has types only, and code for every part of core does not know it', () => {
  const context = parse(CONTEXT)
  expect(importsOf(context).filter(({ kind }) => kind !== 'type')).toEqual([])
  const [app, ...others] = context.statements.filter((each) => !ts.isImportDeclaration(each))
  if (!app || !ts.isInterfaceDeclaration(app)) throw new Error('expected an interface')
  expect(others).toEqual([])
  expect(app.members.length).toBeLessThanOrEqual(CONTEXT_FIELDS_MAX)
  const users = imports.filter(({ path, specifier }) => join(dirname(path), specifier) === 'core/app.js')
  expect(users.filter(({ path }) => /^core\/(lib|shared|contracts|testing)\//.test(path))).toEqual([])
})

/** Lists of what a part offers. A reader looks a name up in them, and does not read them as a whole. */
const LISTS = /^core\/(index|runtime)\.ts$/
const FAN_OUT_MAX = 20

test('no file of core imports more than 20 others', () => {
  const edges = productEdges.filter(({ from }) => from.startsWith('core/') && !LISTS.test(from))
  const importers = [...new Set(edges.map(({ from }) => from))]
  const countTargets = (file: string) => new Set(edges.filter(({ from }) => from === file).map(({ to }) => to)).size
  expect(importers.filter((file) => countTargets(file) > FAN_OUT_MAX)).toEqual([])
  expect(importers.length).toBeGreaterThan(200)
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

/** A developer finds a file by its name. */
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

/** `as never` disables type checking as `any` does. Both uses pass values whose type is known only at run time. */
const AS_NEVER_MAX = 2

test('the product contains `as never` at most twice', () => {
  const product = sources.filter(({ path }) => !TESTS.test(path))
  const places = product.flatMap(({ path, nodes }) =>
    nodes
      .filter((node) => ts.isAsExpression(node) && node.type.kind === ts.SyntaxKind.NeverKeyword)
      .map((node) => `${path} ${node.getText()}`),
  )
  expect(places.slice(AS_NEVER_MAX), places.join('\n')).toEqual([])
})

test('no function of the product is longer than 80 lines or has more than 40 statements', () => {
  const product = sources.filter(({ path }) => !TESTS.test(path))
  const long = product.flatMap(({ path, file, nodes }) =>
    nodes
      .filter(ts.isFunctionLike)
      .filter((node) => linesOf(file, node) > FUNCTION_MAX.lines || countStatements(node) > FUNCTION_MAX.statements)
      .map((node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`),
  )
  expect(long).toEqual([])
  expect(product.length).toBeGreaterThan(500)
})

test('no literal is spread into another literal, which only saves lines', () => {
  const spreads = sources.flatMap(({ path, file, nodes }) =>
    nodes
      .filter((node) => ts.isSpreadAssignment(node) || ts.isSpreadElement(node))
      .filter(({ expression }) => ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression))
      .map((node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`),
  )
  expect(spreads).toEqual([])
})

test('a table of texts is read with lookUp, because keys such as `constructor` exist in every object', () => {
  const product = sources.filter(({ path }) => !TESTS.test(path) && !path.startsWith('scripts/'))
  const reads = product.flatMap(({ path, file, nodes }) => {
    const tables = nodes.filter(isTable).map(({ name }) => name.getText())
    return nodes
      .filter(ts.isElementAccessExpression)
      .filter(({ expression, argumentExpression: key }) => {
        return tables.includes(expression.getText()) && !ts.isStringLiteral(key) && !isChecked(expression)
      })
      .map((node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
  })
  expect(reads).toEqual([])
  expect(product.flatMap(({ nodes }) => nodes.filter(isTable)).length).toBeGreaterThan(30)
})

/** A constant of a module, by its name. */
const isTable = (node: ts.Node): node is ts.VariableDeclaration =>
  ts.isVariableDeclaration(node) && /^[A-Z_]+: Record<string,/.test(node.getText())

/** Inside of `Object.hasOwn(table, key) ? … : …`, for a file that imports nothing. */
const isChecked = (table: ts.Node): boolean =>
  table.parent.parent.parent.parent.getText().startsWith(`Object.hasOwn(${table.getText()},`)

test('a method of a store has at most three parameters; a method that needs more has one object', () => {
  const contracts = sources.filter(({ path }) => path.startsWith('core/contracts/'))
  const methods = contracts.flatMap(({ nodes }) => nodes.filter(ts.isMethodSignature))
  const long = methods.filter(({ parameters }) => parameters.length > 3).map(({ name }) => name.getText())
  expect(long).toEqual([])
  expect(methods.length).toBeGreaterThan(100)
})

test('every entry of `imports` in package.json is used', () => {
  const unused = Object.keys(manifest.imports).filter(
    (entry) => !imports.some(({ specifier }) => fits(entry, specifier)),
  )
  expect(unused).toEqual([])
})

test.each(BANS)('$rule', ({ except, matches }) => {
  const checked = sources.filter(({ path }) => !except.some(({ files }) => files.test(path)))
  const places = checked.flatMap(({ path, file, nodes }) =>
    nodes
      .filter(matches)
      .map((node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`),
  )
  expect(places).toEqual([])
  expect(checked.length).toBeGreaterThan(50)
})

// SEC-06
test.each([
  ["import { request } from 'node:https'", true],
  ["import { request as send } from 'node:https'", true],
  ["import net from 'node:net'", true],
  ["import * as tls from 'node:tls'", true],
  ["import type net from 'node:net'", false],
  ["import { createServer } from 'node:http'", false],
  ['fetch(url)', true],
])('SEC-06: the rule about connections matches `%s`: %s', (code, expected) => {
  expect(nodesOf(parse('sample.ts', code)).some(opensConnections)).toBe(expected)
})

// SEC-25
test.each([
  ['token === other', true],
  ['hash(a) != stored.tokenHash', true],
  ['Buffer.from(a).equals(proof)', true],
  ['Buffer.compare(a, hash)', true],
  ['given.startsWith(clientSecret)', true],
  ['timingSafeEqual(a, tokenHash)', false],
  ['tokenHash === null', false],
  ['secret.id === id', false],
  ["path.startsWith('/secret')", false],
])('SEC-25: the rule about credentials matches `%s`: %s', (code, expected) => {
  expect(nodesOf(parse('sample.ts', code)).some(comparesCredentials)).toBe(expected)
})

/** Files whose comparisons the rule cannot know by the names of their sides. */
const COMPARING = [
  'core/attachments/upload-token.ts',
  'core/auth/api-tokens.ts',
  'core/auth/known-devices.ts',
  'core/auth/redirect-flow.ts',
  'core/auth/setup-code.ts',
  'core/export/backup-key.ts',
  'core/lib/argon2.ts',
  'core/notifications/unsubscribe-token.ts',
  'core/secrets/request-code.ts',
  'core/secrets/secret-access.ts',
  'plugins/knex/operations/view-as-recipient.ts',
  'plugins/metrics/metrics-server.ts',
]

test('SEC-25: the functions that compare credentials do it in constant time', () => {
  const comparing = sources.filter(({ path, nodes }) => !TESTS.test(path) && nodes.some(comparesInConstantTime))
  expect(comparing.map(({ path }) => path).sort()).toEqual(COMPARING)
})

/** Statements of a function, without statements of functions inside it. Blocks do not count. */
function countStatements(node: ts.Node): number {
  let count = 0
  node.forEachChild((child) => {
    if (ts.isFunctionLike(child)) return
    if (ts.isStatement(child) && !ts.isBlock(child)) count++
    count += countStatements(child)
  })
  return count
}

/** Returns the violation, or null for an allowed import. */
function problemOf(path: string, { specifier, kind }: Import): string | null {
  const part = partOf(path)
  const { allowed = [], types = [], lazy = [], packages } = PARTS[part.key] as Part
  const isTest = TESTS.test(path)
  const violation = (why: string) => `${path} imports ${specifier}: ${why}`
  if (!/^[.#]/.test(specifier)) {
    if (isTest || !packages || packages.some((pattern) => fits(pattern, specifier))) return null
    return violation(`${part.name} may import only the packages ${packages.join(', ')}`)
  }
  const target = specifier.startsWith('.') ? partOf(join(dirname(path), specifier)).name : specifier
  const listed = (patterns: string[]) => patterns.some((pattern) => fits(pattern, target))
  if (target === part.name || (isTest && listed(TEST_IMPORTS))) return null
  if (listed(types)) return kind === 'type' ? null : violation('only as a type')
  if (listed(lazy)) return kind === 'lazy' ? null : violation('only by import()')
  return listed(allowed) ? null : violation(`${part.name || 'the root'} may not import ${target || 'the root'}`)
}

/** `app`, `shared`, or the folder of a feature. */
function webLayerOf(path: string): string {
  if (path.startsWith('web/app/')) return 'app'
  return /^web\/features\/[\w-]+/.exec(path)?.[0] ?? 'shared'
}

/** `name`: folder of the part that contains the file. `key`: its entry in PARTS. */
function partOf(path: string): { name: string; key: string } {
  const [top = '', below = '', ...deeper] = path.split('/')
  for (const name of deeper.length > 0 ? [`${top}/${below}`, top] : [top]) {
    const key = [name, name.replace(/\/.*/, '/*')].find((pattern) => pattern in PARTS)
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

/** Names of values that an attacker must not be able to find out byte by byte. */
const CREDENTIAL = /token|hash|proof|secret$/i
/** Methods that stop at the first difference. */
const EARLY_EXIT = /^(equals|compare|localeCompare|startsWith|endsWith)$/

/**
 * Matches `a === b` and `a.equals(b)` if one side is named like a credential. Comparing with a constant reveals
 * nothing.
 */
function comparesCredentials(node: ts.Node): boolean {
  const sides = comparedSides(node)
  return !sides.some(isConstant) && sides.some((side) => CREDENTIAL.test(side.getText()))
}

const comparesInConstantTime = (node: ts.Node) =>
  ts.isCallExpression(node) && isNamed(node.expression, 'timingSafeEqual')

function comparedSides(node: ts.Node): ts.Node[] {
  if (ts.isBinaryExpression(node)) return EQUALITY.has(node.operatorToken.kind) ? [node.left, node.right] : []
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  return EARLY_EXIT.test(name.text) ? [expression, ...node.arguments] : []
}

/** Names that open connections, also under another name, and whole modules. */
function opensConnections(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return isNamed(node.expression, 'fetch')
  if (ts.isImportSpecifier(node)) {
    const { text } = node.propertyName ?? node.name
    return !node.isTypeOnly && CONNECTING.test(text) && importsNetwork(node.parent.parent)
  }
  const isWholeModule =
    ts.isImportClause(node) && (node.name ?? (node.namedBindings && ts.isNamespaceImport(node.namedBindings)))
  return isWholeModule ? importsNetwork(node) : false
}

const CONNECTING = /^(request|get|connect|createConnection|createSocket|lookup|resolve4?|Socket|Agent)$/

const importsNetwork = ({ isTypeOnly, parent }: ts.ImportClause): boolean =>
  !isTypeOnly &&
  /^'(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises|undici)'$/.test(parent.moduleSpecifier.getText())

const isConstant = (node: ts.Node) =>
  ts.isLiteralExpression(node) || node.kind === ts.SyntaxKind.NullKeyword || isNamed(node, 'undefined')

function linesOf(file: ts.SourceFile, node: ts.Node): number {
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line
  return lineAt(node.getEnd()) - lineAt(node.getStart()) + 1
}
