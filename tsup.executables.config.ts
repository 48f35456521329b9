/** The bundles of the single executables: everything in JavaScript, without native modules. See scripts/release. */
import { defineConfig, type Options } from 'tsup'
import {
  clientCommandsOnly,
  externalDialects,
  nativeCrypto,
  nodeModulesOnly,
  replaceUnusedModules,
  singleMimeTypes,
  thirdPartyNotices,
} from './scripts/bundle-dependencies.js'
import { BUNDLE_BANNER, shared } from './tsup.config.js'

const OUT_DIR = 'node_modules/.executables'

/** For the development server, and drivers that knex and pg require if they are configured. */
const NOT_CONTAINED = 'vite better-sqlite3 mariadb mysql oracledb tedious pg-native pg-query-stream'.split(' ')

const bundled: Options = {
  ...shared,
  target: 'node24',
  sourcemap: false,
  noExternal: [/.*/],
  banner: BUNDLE_BANNER,
}

export default defineConfig([
  {
    ...bundled,
    outDir: `${OUT_DIR}/server`,
    entry: {
      cli: 'cli/start.ts',
      mayfly: 'core/index.ts',
      knex: 'plugins/knex/index.ts',
    },
    external: NOT_CONTAINED,
    noExternal: [new RegExp(`^(?!(${NOT_CONTAINED.join('|')})(/|$))`)],
    esbuildPlugins: [
      nodeModulesOnly,
      replaceUnusedModules,
      externalDialects,
      singleMimeTypes,
      nativeCrypto,
      thirdPartyNotices,
    ],
  },
  {
    ...bundled,
    outDir: `${OUT_DIR}/server`,
    // Started from a data: URL, for which there is no `require`.
    entry: { 'sqlite-thread': 'plugins/sqlite/drivers/sqlite-thread.ts' },
    external: [],
    banner: {},
  },
  {
    ...bundled,
    outDir: `${OUT_DIR}/client`,
    entry: { cli: 'cli/start.ts' },
    external: [],
    esbuildPlugins: [nodeModulesOnly, clientCommandsOnly, replaceUnusedModules, nativeCrypto, thirdPartyNotices],
  },
  {
    ...bundled,
    outDir: OUT_DIR,
    entry: { boot: 'cli/executable/boot.ts' },
    external: [],
    format: 'cjs',
    splitting: false,
    banner: {},
  },
])
