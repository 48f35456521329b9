/** Options of a test or suite that needs tools: it is skipped where one is missing, and fails there in CI. */
import { inject, type TestOptions } from 'vitest'
import { TOOLS, type ToolName } from './tools.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Found once per run, by `detect-tools.ts`. */
    missingTools: ToolName[]
  }
  interface TaskMeta {
    /** Why a test is skipped; the summary prints it. */
    missingTools?: ToolName[]
  }
}

/**
 * For the second argument of `test` and `describe`: `test('opens what age made', needs('age'), async () => …)`.
 * Throws with CI set when a tool is missing, so that the test file fails and names the tool.
 */
export function needs(...tools: ToolName[]): TestOptions {
  const missing = missingOf(...tools)
  if (missing.length === 0) return {}
  if (process.env.CI) throw new Error(missing.map((tool) => `${tool} is missing: ${TOOLS[tool].install}`).join('; '))
  return { skip: true, meta: { missingTools: missing } }
}

/** The tools among these that the machine lacks. */
export const missingOf = (...tools: ToolName[]): ToolName[] =>
  tools.filter((tool) => inject('missingTools').includes(tool))
