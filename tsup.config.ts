import { defineConfig, type Options } from 'tsup'
import {
  clientCommandsOnly,
  externalDialects,
  lateBuiltins,
  nativeCrypto,
  replaceUnusedModules,
  singleMimeTypes,
  thirdPartyNotices,
  withoutAgents,
} from './scripts/bundle-dependencies.js'

/** Never bundled. */
const EXTERNAL = [
  // Native modules, and the drivers and SDKs of single plugins.
  'sqlite3',
  '@node-rs/argon2',
  'pg',
  'mysql2',
  '@aws-sdk/client-s3',
  'openid-client',
  'prom-client',
  '@redis/client',
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  // Loaded long after the start, if at all.
  'inquirer',
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'mdast-util-from-markdown',
  '@modelcontextprotocol/sdk',
  // Exist only where tests or the development server run.
  'vitest',
  'vite',
  'playwright-core',
  // Optional drivers that knex requires for other engines.
  'better-sqlite3',
  'mariadb',
  'mysql',
  'oracledb',
  'tedious',
  'pg-native',
  'pg-query-stream',
]

/** For dependencies in CommonJS. */
export const BUNDLE_BANNER = {
  js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
}

/** Only the chunk that defines `__require` needs the banner, which takes 0.15 ms of the start of each file. */
const bannerWhereUsed: NonNullable<Options['plugins']>[number] = {
  name: 'banner-where-used',
  renderChunk: (code) => (code.includes('typeof require') ? null : { code: code.replace(BUNDLE_BANNER.js, '') }),
}

export const shared: Options = {
  outDir: 'dist',
  format: 'esm',
  target: 'node20',
  // One chunk per plugin, loaded when the config names it.
  splitting: true,
  sourcemap: true,
  external: EXTERNAL,
  // Some modules of Node.js have no name without it.
  removeNodeProtocol: false,
  plugins: [bannerWhereUsed],
  esbuildOptions(options) {
    // A tenth less CPU time at start. Names stay, for stack traces.
    options.minifyWhitespace = true
    options.minifySyntax = true
    options.legalComments = 'none'
    // Stack traces need names and lines only, and node reads all maps at start.
    options.sourcesContent = false
  },
}

export default defineConfig([
  {
    ...shared,
    entry: {
      cli: 'cli/main.ts',
      mayfly: 'core/index.ts',
      knex: 'plugins/knex/index.ts',
      testing: 'core/testing/index.ts',
      // The code of a worker thread, beside the chunks.
      'sqlite-thread': 'plugins/sqlite/drivers/sqlite-thread.ts',
    },
    // A start from hundreds of files takes twice as long.
    noExternal: [new RegExp(`^(?!(${EXTERNAL.join('|')})(/|$))`)],
    esbuildPlugins: [replaceUnusedModules, externalDialects, singleMimeTypes, nativeCrypto, thirdPartyNotices],
    banner: BUNDLE_BANNER,
  },
  {
    ...shared,
    // One file without packages, for machines that only share and read secrets.
    outDir: 'dist/client',
    outExtension: () => ({ js: '.mjs' }),
    splitting: false,
    sourcemap: false,
    entry: { mayfly: 'cli/client-main.ts' },
    external: [],
    noExternal: [/.*/],
    esbuildPlugins: [
      lateBuiltins,
      clientCommandsOnly,
      withoutAgents,
      replaceUnusedModules,
      nativeCrypto,
      thirdPartyNotices,
    ],
    banner: BUNDLE_BANNER,
    esbuildOptions(options) {
      options.minify = true
      options.legalComments = 'none'
    },
  },
  {
    ...shared,
    // The library `mayfly/client`, for every platform: with the variants for browsers, which fall back to JavaScript.
    outDir: 'dist/library',
    platform: 'browser',
    target: 'es2022',
    sourcemap: false,
    entry: { client: 'core/shared/library/index.ts' },
    external: [],
    noExternal: [/.*/],
    esbuildPlugins: [thirdPartyNotices],
    esbuildOptions(options) {
      options.minify = true
      options.legalComments = 'none'
    },
  },
  {
    ...shared,
    // Beside the product, which does not contain it, so without chunks.
    splitting: false,
    entry: { bench: 'bench/main.ts', 'bench.control': 'bench/control.ts', 'bench.preload': 'bench/preload.ts' },
  },
])
