import { defineConfig } from 'vitest/config'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends every run with the one line that a machine reads. */
const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length
    const skipped = count('skipped')
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    )
  },
}

export default defineConfig({
  test: {
    include: ['{core,plugins,cli,web,migrations,config}/**/*.test.{ts,tsx}'],
    reporters: ['default', closingLine],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
