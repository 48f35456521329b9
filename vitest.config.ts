import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends every run with the one line that a machine reads. With CI set nothing may be skipped. */
const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    const broken = suites.filter((suite) => suite.errors().length > 0).length + errors.length
    const skipped = count('skipped')
    if (process.env.CI && skipped > 0) process.exitCode = 1
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    )
  },
}

export default defineConfig({
  test: {
    include: ['{core,plugins,cli,web,migrations,config}/**/*.test.{ts,tsx}'],
    reporters: ['default', closingLine],
    // Most tests wait for servers, browsers and disks, so two at once pay on two cores, too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Guards against what never ends, on machines that are busy with other things too.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
