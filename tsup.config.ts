import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    cli: 'cli/main.ts',
    mayfly: 'core/index.ts',
    knex: 'plugins/knex/index.ts',
    testing: 'core/testing/index.ts',
    bench: 'bench/main.ts',
    'bench.control': 'bench/control.ts',
    'bench.preload': 'bench/preload.ts',
  },
  outDir: 'dist',
  format: 'esm',
  target: 'node20',
  // One chunk per plugin, loaded when the config names it.
  splitting: true,
  sourcemap: true,
  // Beside the dependencies: the suites run inside the test runner of whoever imports them, Vite serves a checkout that
  // is being worked on, and the benchmark runs where everything is installed.
  external: ['vitest', 'vite', 'sqlite3', 'pg', 'mysql2', '@aws-sdk/client-s3', 'playwright-core'],
  // An interrupted build leaves no mark behind: see scripts/ensure-build.mjs.
  clean: ['.built'],
})
