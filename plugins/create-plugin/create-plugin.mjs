#!/usr/bin/env node
/** Creates the project of a plugin. Exit codes: 0, 2 for wrong usage, 8 for a folder that is not empty. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

const TEMPLATES = join(import.meta.dirname, 'templates')
/** The folder of Mayfly when this program runs in a clone. */
const CLONE = join(import.meta.dirname, '../..')
/** Kinds, and the flags that enable a plugin of the kind. */
const USES = {
  storage: '--set storage=./dist/index.js',
  files: '--set files=./dist/index.js',
  auth: '--set auth=./dist/index.js,local-auth',
  events: '--set plugins=web,./dist/index.js',
}
const KINDS = Object.keys(USES)
const USAGE = `usage: npm create mayfly-plugin FOLDER -- --kind ${KINDS.join('|')} [--mayfly VERSION]`
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))

const TARBALL = `mayfly-${version}.tgz`

class UsageError extends Error {
  constructor(message, code = 2) {
    super(message)
    this.code = code
  }
}

/** Writes the files of a project. `mayfly`: version or path of the dependency. Throws UsageError. */
function createProject({ folder, kind, mayfly }) {
  const name = basename(folder)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new UsageError(`the folder "${name}" is not a plugin name: use lower-case words joined by "-"`)
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty`, 8)
  const values = { name, mayfly, use: USES[kind], variable: name.replaceAll('-', '_').toUpperCase() }
  for (const path of ['common', kind].flatMap(listTemplates)) {
    const target = join(
      folder,
      relative(TEMPLATES, path)
        .split(/[\\/]/)
        .slice(1)
        .join('/')
        .replace(/\.template$/, ''),
    )
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, fill(readFileSync(path, 'utf8'), values))
  }
  addDependencies(join(folder, 'package.json'), kind)
}

const listTemplates = (folder) =>
  readdirSync(join(TEMPLATES, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.template'))
    .map((entry) => join(entry.parentPath, entry.name))

const fill = (text, values) => text.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key])

function addDependencies(path, kind) {
  if (kind !== 'storage') return
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  manifest.dependencies = { knex: '^3.3.0', pg: '^8.23.1' }
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`)
}

async function askKind() {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError(`missing --kind: ${KINDS.join(', ')}`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const kind = await terminal.question(`Kind of the plugin (${KINDS.join(', ')}): `)
  terminal.close()
  return kind.trim()
}

/** Throws UsageError. */
function parseFlags() {
  const options = { kind: { type: 'string' }, mayfly: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error.message)
  }
}

async function main() {
  const { values, positionals } = parseFlags()
  if (values.help) return process.stdout.write(`${USAGE}\n`)
  if (positionals.length !== 1) throw new UsageError(positionals.length === 0 ? 'missing folder' : 'too many arguments')
  const kind = values.kind ?? (await askKind())
  if (!KINDS.includes(kind)) throw new UsageError(`unknown kind: use one of ${KINDS.join(', ')}`)
  const folder = resolve(positionals[0])
  const isClone = values.mayfly === undefined && existsSync(join(CLONE, 'package-lock.json'))
  createProject({ folder, kind, mayfly: values.mayfly ?? (isClone ? `file:${TARBALL}` : `^${version}`) })
  const steps = [...(isClone ? [listPackSteps(folder)] : []), `cd ${quote(positionals[0])}`, 'npm install', 'npm test']
  process.stdout.write(`created ${folder}\n\n${steps.map((step) => `  ${step}\n`).join('')}`)
}

/** Mayfly is not published: the clone is packed into the project. */
function listPackSteps(folder) {
  const install = existsSync(join(CLONE, 'node_modules')) ? '' : 'npm ci && '
  return `(cd ${quote(resolve(CLONE))} && ${install}npm pack --pack-destination ${quote(folder)})`
}

const quote = (path) => (/^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`create-mayfly-plugin: error: ${error.message}\n${USAGE}\n`)
  process.exitCode = error.code
}
