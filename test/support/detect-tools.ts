/** Global setup of every test project: finds out once what this machine lacks. */
import type { TestProject } from 'vitest/node'
import { findMissingTools } from './tools.js'

export default async function detectTools(project: TestProject): Promise<void> {
  project.provide('missingTools', await findMissingTools())
}
