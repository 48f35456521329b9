/** Global setup of every test project: finds out once what this machine lacks, and whether the build is up to date. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findMissingTools } from './find-missing-tools.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Why tests of the built program cannot run; null: they can. See `require-build.ts`. */
    buildProblem: string | null
  }
}

/** Tiers that run the built program in every file. */
const BUILT_TIERS = ['e2e', 'a11y', 'chaos']

/** Ends the run when the build is missing or older than the sources, and every file of the tier needs it. */
export default async function detectTools(project: TestProject): Promise<void> {
  const problem = isBuilt() ? null : 'dist is missing or older than the sources: run `npm run build` first'
  if (problem && BUILT_TIERS.includes(project.name)) {
    // Vitest prints an error of a global setup without its message.
    process.stderr.write(`${problem}\n`)
    process.exit(1)
  }
  project.provide('buildProblem', problem)
  project.provide('missingTools', await findMissingTools())
}

function isBuilt(): boolean {
  const script = join(import.meta.dirname, '../../scripts/ensure-build.mjs')
  return spawnSync(process.execPath, [script, '--check'], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}
