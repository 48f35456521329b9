/**
 * esbuild plugins that bundle the dependencies of the server, without the parts that Mayfly never uses. See decision
 * 040.
 */

import { readFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Plugin } from 'esbuild'
import { writeNotices } from './write-notices.js'

/** Builds run in the folder of package.json. */
const root = process.cwd()
const require = createRequire(join(root, 'package.json'))

/** Throws when it is called, and when it is used as a class. */
const UNUSED = 'module.exports = () => { throw new Error("this part of a dependency is not in the bundle") }'

/**
 * Modules that a dependency imports at start and Mayfly never calls.
 * `contents`: the code of the module instead.
 */
const REPLACED: { importer: RegExp; path: RegExp; contents: string }[] = [
  // knex: Mayfly has its own migrator, and no seeds.
  { importer: /knex-builder/, path: /\/Migrator$/, contents: 'exports.Migrator = function () {}' },
  { importer: /knex-builder/, path: /\/Seeder$/, contents: UNUSED },
  // zod: messages in 50 languages. The server has English ones.
  {
    importer: /zod/,
    path: /\/locales\/index\.js$/,
    contents: 'export { default as en } from "zod/v4/locales/en.js"',
  },
  // koa-body: multipart bodies, forms and the character sets of East Asia. The server accepts JSON in UTF-8.
  { importer: /koa-body/, path: /\/parse-with-formidable\.js$/, contents: UNUSED },
  { importer: /co-body/, path: /^\.\/(lib\/)?form$/, contents: UNUSED },
  { importer: /iconv-lite/, path: /^\.\/dbcs-data$/, contents: '' },
  // commander: commands that are separate programs.
  { importer: /commander/, path: /^node:child_process$/, contents: '' },
]

export const replaceUnusedModules: Plugin = {
  name: 'replace-unused-modules',
  setup(build) {
    for (const [index, { importer, path }] of REPLACED.entries()) {
      build.onResolve({ filter: path }, (args) =>
        importer.test(args.importer) ? { path: `${index}`, namespace: 'replaced' } : undefined,
      )
    }
    build.onLoad({ filter: /.*/, namespace: 'replaced' }, ({ path }) => ({
      contents: REPLACED[Number(path)]?.contents ?? '',
      resolveDir: root,
    }))
  },
}

/**
 * Three versions of mime-types would each build their tables at start: all use Koa's, which is the newest. Most of the
 * table are types without file extension and charset, for which a lookup finds nothing, and types of vendors.
 */
export const singleMimeTypes: Plugin = {
  name: 'single-mime-types',
  setup(build) {
    const koa = dirname(require.resolve('koa'))
    const path = require.resolve('mime-types', { paths: [koa] })
    build.onResolve({ filter: /^mime-types$/ }, () => ({ path }))
    build.onLoad({ filter: /mime-db[\\/]db\.json$/ }, async (file) => {
      const types: [string, MimeType][] = Object.entries(JSON.parse(await readFile(file.path, 'utf8')))
      const used = types.filter(([type, { extensions, charset }]) => (extensions || charset) && !VENDOR.test(type))
      return { contents: JSON.stringify(Object.fromEntries(used)), loader: 'json' }
    })
  },
}

/** Mayfly sends none of them. Plugins name the types of their pages in full. */
const VENDOR = /\/(vnd\.|x-)/

interface MimeType {
  extensions?: string[]
  charset?: string
}

/** Dialects of knex for other databases stay in node_modules, where only a plugin from outside needs them. */
export const externalDialects: Plugin = {
  name: 'external-dialects',
  setup(build) {
    const bundled = /^\.\/(sqlite3|postgres|mysql2?)(\/|$)/
    build.onResolve({ filter: /^\.\// }, ({ importer, path }) => {
      if (!importer.endsWith(join('knex', 'lib', 'dialects', 'index.js')) || bundled.test(path)) return undefined
      return { path: `knex/lib/dialects/${path.slice(2)}`, external: true }
    })
  },
}

/** Replacements in core/lib, by the replaced module. */
const NATIVE: Record<string, string> = {
  '@noble/ciphers/chacha.js': 'native-chacha.ts',
  '@noble/hashes/scrypt.js': 'native-scrypt.ts',
  'portable-hashes.js': 'native-hashes.ts',
}

/** Ciphers and hashes of node:crypto instead of the JavaScript versions, which the web app uses. */
export const nativeCrypto: Plugin = {
  name: 'native-crypto',
  setup(build) {
    build.onResolve({ filter: /^@noble\/|\/portable-hashes\.js$/ }, ({ path, importer }) => {
      const replacement = findNativeCrypto(path, importer)
      return replacement === undefined ? undefined : { path: replacement, namespace: 'file' }
    })
  },
}

/** Path of the module that replaces `path` in the file `importer`. Undefined: it is not replaced. */
export function findNativeCrypto(path: string, importer = ''): string | undefined {
  const folder = join(root, 'core', 'lib')
  const replacement = NATIVE[path] ?? NATIVE[basename(path)]
  // The replacement itself falls back to the replaced module.
  return replacement && dirname(importer) !== folder ? join(folder, replacement) : undefined
}

/**
 * For the single file of the client: modules of Node.js are required when they are used. An import of a name that an
 * old Node does not have would fail before the check of its version runs.
 */
export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z_:/]+$/ }, ({ path, namespace }) => {
      if (!isBuiltin(path)) return undefined
      return namespace === 'builtin' ? { path, external: true } : { path, namespace: 'builtin' }
    })
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

/** For clients: without the commands that need the code of the server, and without plugins. See decision 040. */
export const clientCommandsOnly: Plugin = {
  name: 'client-commands-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]cli[\\/]instance-commands\.ts$/ }, () => ({
      contents: 'export const INSTANCE_COMMANDS = []',
    }))
    build.onLoad({ filter: /[\\/]cli[\\/]instance[\\/]plugin-commands\.ts$/ }, () => ({
      contents: 'export const loadPluginCommands = async () => []',
    }))
  },
}

/** For the single file of the client: `mcp` and its packages are 300 kB, which each start would read. */
export const withoutAgents: Plugin = {
  name: 'without-agents',
  setup(build) {
    build.onLoad({ filter: /[\\/]cli[\\/]commands[\\/]agent[\\/]agent-commands\.ts$/ }, () => ({
      contents: 'export const agentCommands = []',
    }))
  },
}

/**
 * For the single executables: `node:sqlite` and the argon2 of Node.js instead of native modules, even if such a module
 * is installed.
 */
export const nodeModulesOnly: Plugin = {
  name: 'node-modules-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]sqlite[\\/]drivers[\\/]sqlite3\.ts$/ }, () => ({
      contents: 'export const findSqlite3 = () => null; export const openSqlite3 = () => {}',
    }))
    build.onResolve({ filter: /^@node-rs\/argon2$/ }, ({ path }) => ({ path, namespace: 'native' }))
    build.onLoad({ filter: /.*/, namespace: 'native' }, () => ({
      contents: 'throw new Error("the executable has no argon2 in FIPS mode")',
    }))
  },
}

/** Writes the licenses of all packages in the bundle to `THIRD-PARTY-NOTICES.txt` in the output folder. */
export const thirdPartyNotices: Plugin = {
  name: 'third-party-notices',
  setup(build) {
    build.initialOptions.metafile = true
    build.onEnd(async ({ metafile }) => {
      const packages = new Set(Object.keys(metafile?.inputs ?? {}).flatMap((path) => packageFolder(path) ?? []))
      const folders = [...packages].map((folder) => resolve(root, folder))
      await writeNotices(folders, join(resolve(root, build.initialOptions.outdir ?? 'dist'), 'THIRD-PARTY-NOTICES.txt'))
    })
  },
}

/** `node_modules/koa/lib/application.js` -> `node_modules/koa`. Undefined outside node_modules. */
function packageFolder(path: string): string | undefined {
  return /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll(sep, '/'))?.[1]
}
