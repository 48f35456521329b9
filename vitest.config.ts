import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { closingLines } from './core/testing/closing-lines.js'

const BROWSER = 'web/e2e/**/*.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'all else',
          include: ['{core,plugins,cli,web,migrations,config}/**/*.test.{ts,tsx}'],
          exclude: [BROWSER],
        },
      },
      // Chromium is the one part that is not ours: on a busy machine it gets a second try, which the closing lines name.
      { extends: true, test: { name: 'in a browser', include: [BROWSER], retry: process.env.CI ? 1 : 0 } },
    ],
    reporters: ['default', closingLines],
    // Most tests wait for servers, browsers and disks, so two at once pay on two cores, too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Guards against what never ends, on machines that are busy with other things too.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
