import { availableParallelism } from 'node:os'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { findNativeCrypto } from './scripts/bundle-dependencies.js'
import type { StorageName } from './test/support/databases.js'
import { LongestFirst } from './test/support/longest-first.js'
import { summaryReporter } from './test/support/summary-reporter.js'

/** Beside the code they test. */
const BESIDE_CODE = '{core,plugins,cli,web,migrations,config,bench}/**'
/** Need a database server or an S3 server, or run on every engine. */
const ENGINES = `${BESIDE_CODE}/*.engines.test.ts`
/** HTTP tests that run on SQLite in memory in the fast tier and on every database server in the engines tier. */
const STORAGES = `${BESIDE_CODE}/*.storages.test.ts`
const CORES = availableParallelism()

/**
 * A tier of the test suite: `npm run test:NAME`; the fast one is `npm test`. See CONTRIBUTING.md. The test files of one
 * worker share its modules and its browser, because loading them takes longer than most tests.
 */
function tier(name: string, include: string[], storages: StorageName[], exclude: string[] = []) {
  const setupFiles = ['fast', 'engines'].includes(name) ? ['test/support/require-build.ts'] : []
  const globalSetup = name === 'engines' ? ['test/support/drop-databases.ts'] : []
  // One more than cores, because tests wait for servers, browsers, disks and time limits. The fast ones wait least.
  const sequence = { groupOrder: name === 'fast' ? 1 : 0 }
  const test = {
    name,
    include,
    exclude,
    isolate: false,
    setupFiles,
    globalSetup,
    sequence,
    maxWorkers: CORES + 1,
    provide: { storages },
  }
  return { extends: true, test } satisfies TestProjectInlineConfiguration
}

/** As in the build: ciphers and hashes of Node.js, which are several times as fast as those in JavaScript. */
const nativeCrypto: Plugin = {
  name: 'native-crypto',
  enforce: 'pre',
  resolveId(path, importer = '') {
    // Tests themselves import those in JavaScript, for comparison.
    const isReplaced = /\/(core\/shared|age-encryption)\//.test(importer) && !importer.endsWith('.test.ts')
    return isReplaced ? findNativeCrypto(path, importer) : null
  },
}

export default defineConfig({
  plugins: [nativeCrypto],
  test: {
    projects: [
      tier(
        'fast',
        [`${BESIDE_CODE}/*.test.{ts,tsx}`, 'test/{support,repository,fixtures,smoke,fuzz}/**/*.test.ts'],
        ['memory'],
        [ENGINES],
      ),
      tier('engines', [ENGINES, STORAGES, 'test/engines/**/*.test.ts'], ['postgres', 'mysql']),
      tier('e2e', ['test/{e2e,packaging}/**/*.test.ts'], ['sqlite']),
      tier('a11y', ['test/a11y/**/*.test.ts'], ['sqlite']),
      tier('chaos', ['test/chaos/**/*.test.ts'], ['sqlite', 'postgres', 'mysql']),
    ],
    globalSetup: ['test/support/detect-tools.ts'],
    // The tiers share transformed modules, by their content; otherwise each transforms all of them.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    reporters: ['default', summaryReporter],
    sequence: { sequencer: LongestFirst },
    // Concurrent tests mostly wait.
    maxConcurrency: 20,
    // Limits for what never ends, on machines that are busy with other things too.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // So that a test can reset i18next with all other modules, and for `nativeCrypto`.
    server: { deps: { inline: ['i18next', 'react-i18next', 'age-encryption'] } },
    expect: { poll: { timeout: 60_000 } },
  },
})
