/** How a run of the tests ends: what failed, by name, and one line that a machine reads. */
import type { Reporter, TestModule } from 'vitest/node'

/** Counts each broken file or hook as one failure. With CI set nothing may be skipped. */
export const closingLines: Reporter = {
  onTestRunEnd(modules, errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    for (const test of tests) {
      const { state, errors: reasons } = test.result()
      if (state === 'failed') tell('Failed', test.module, test.fullName, reasons)
      else if (test.diagnostic()?.flaky) tell('Only at the second try', test.module, test.fullName, reasons)
    }
    const broken = modules.flatMap((module) =>
      [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0),
    )
    for (const suite of broken) {
      const [module, name] = suite.type === 'module' ? [suite, 'the file'] : [suite.module, suite.fullName]
      tell('Failed', module, name, suite.errors())
    }
    const skipped = count('skipped')
    if (process.env.CI && skipped > 0) process.exitCode = 1
    const line = `${count('passed')} passed, ${count('failed') + broken.length + errors.length} failed`
    process.stdout.write(`\n${line}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
  },
}

function tell(how: string, module: TestModule, name: string, reasons: readonly { message: string }[] = []): void {
  const [reason = ''] = reasons.map(({ message }) => message.split('\n')[0]).filter(Boolean)
  process.stdout.write(`${how}: ${module.relativeModuleId} > ${name}\n  ${reason}\n`)
}
