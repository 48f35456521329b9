/**
 * Setup of each test file of the tiers fast and engines: a file that runs the built program fails when the build is
 * old.
 */
import { expect, inject } from 'vitest'

/** Other files of these tiers run from the sources, so that a change needs no build. */
const RUNS_BUILD =
  /\/(test\/(smoke|engines)\/|test\/repository\/documents\.|plugins\/metrics\/metrics\.test|cli\/commands\/setup\/.*\.engines\.)/

const problem = inject('buildProblem')
if (problem && RUNS_BUILD.test(expect.getState().testPath ?? '')) throw new Error(problem)
