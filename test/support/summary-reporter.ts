/** Summary of a test run: failed tests, skipped tests with reasons, in CI the slowest files, and a line for scripts. */
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { TOOLS, type ToolName } from './tools.js'

/** How many of the slowest files are printed. */
const SLOWEST = 10
/** How many characters of a difference are printed. */
const DIFF_LENGTH = 600
/** Control sequences of terminals, which messages of Playwright contain. */
const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** Counts each broken file or hook as one failure, and with CI set each skipped test. */
export const summaryReporter: Reporter = {
  onTestRunEnd(modules, errors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    for (const test of tests) {
      const { state, errors: reasons } = test.result()
      if (state === 'failed') printFailure(test.module, test.fullName, reasons)
    }
    const broken = modules.flatMap((module) =>
      [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0),
    )
    for (const suite of broken) {
      if (suite.type === 'module') printFailure(suite, 'the file', suite.errors())
      else printFailure(suite.module, suite.fullName, suite.errors())
    }
    for (const { message, stack = message } of errors) process.stdout.write(`Failed: outside of a test\n  ${stack}\n`)
    const refused = process.env.CI ? tests.filter(({ options }) => options.mode === 'skip') : []
    for (const test of refused) printFailure(test.module, test.fullName, [{ message: 'skipped, and CI is set' }])
    if (refused.length > 0) process.exitCode = 1
    for (const module of modules) printSkipped(module)
    if (process.env.CI) printSlowest(modules)
    const skipped = count('skipped')
    const failed = count('failed') + broken.length + errors.length + refused.length
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
  },
}

function printFailure(module: TestModule, name: string, errors: readonly Reason[] = []): void {
  const [error = { message: '' }] = errors.filter(({ message }) => message !== '')
  process.stdout.write(`Failed: ${module.relativeModuleId} > ${name}\n  ${describeReason(error)}\n`)
}

type Reason = Partial<ReturnType<TestModule['errors']>[number]> & { message: string }

/** One line: what happened, the difference, what a browser test waited for, and where. */
function describeReason({ message, diff = '', stacks = [] }: Reason): string {
  const [first = '', ...rest] = message.replace(COLORS, '').split('\n')
  const waitedFor = rest.map((line) => line.trim()).find((line) => line.startsWith('- waiting for '))
  const at = stacks.map(({ file, line }) => `at ${relative('.', file)}:${line}`)
  return [first, changedLines(String(diff)), waitedFor, at[0]].filter(Boolean).join(' ')
}

/** Of a difference, without its two header lines, in one line. */
function changedLines(diff: string): string {
  const lines = diff.replace(COLORS, '').split('\n').slice(2)
  const changed = lines.filter((line) => /^[-+]/.test(line)).map((line) => line.replace(/\s+/g, ' '))
  return changed.join(' ').slice(0, DIFF_LENGTH)
}

/** One line for each set of missing tools in the file. */
function printSkipped(module: TestModule): void {
  const counts = new Map<string, number>()
  for (const test of module.children.allTests()) {
    if (test.result().state !== 'skipped') continue
    const tools = missingToolsOf(test).join()
    counts.set(tools, (counts.get(tools) ?? 0) + 1)
  }
  for (const [tools, count] of counts) {
    const names = tools.split(',').filter(Boolean) as ToolName[]
    const reason = names.map((name) => `${name} (${TOOLS[name].install})`).join(' and ')
    const tests = count === 1 ? '1 test' : `${count} tests`
    process.stdout.write(`Skipped: ${module.relativeModuleId}: ${tests}${reason ? `, missing ${reason}` : ''}\n`)
  }
}

function printSlowest(modules: readonly TestModule[]): void {
  const timed = modules.map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }))
  for (const { name, seconds } of timed.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST))
    process.stdout.write(`Slow: ${Math.round(seconds)} s ${name}\n`)
}

/** With its imports, without the start of its worker. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return (collectDuration + setupDuration + duration) / 1000
}

/** Of the test itself and of the suites around it. */
function missingToolsOf(test: TestCase): ToolName[] {
  const found = new Set<ToolName>(test.meta().missingTools)
  for (let at = test.parent; at.type === 'suite'; at = at.parent) {
    for (const tool of at.meta().missingTools ?? []) found.add(tool)
  }
  return [...found].sort()
}
