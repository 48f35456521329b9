/**
 * Defines suites once for each storage engine. An engine whose server is missing is skipped, and counted as skipped.
 */
import { describe, inject, type TestOptions, test } from 'vitest'
import { ENGINES, type EngineName, type StorageName } from './databases.js'
import { needs } from './needs.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The storages of the tier: see vitest.config.ts. */
    storages: StorageName[]
  }
}

/** A suite for each SQL engine, in every tier. */
export function describeEachEngine(suite: (engine: EngineName) => void): void {
  for (const engine of ENGINES) describe(`on ${engine}`, needsOf(engine), () => suite(engine))
}

/** A suite for each storage of the tier: memory in the fast one, the SQL engines in the others. */
export function describeEachStorage(suite: (name: StorageName) => void): void {
  for (const name of inject('storages')) describe(`on ${name}`, needsOf(name), () => suite(name))
}

/** A test for each SQL engine, in every tier. `timeout` in ms. */
export function testEachEngine(title: string, run: (engine: EngineName) => Promise<void>, timeout?: number): void {
  for (const engine of ENGINES) {
    test(`on ${engine}: ${title}`, { ...needsOf(engine), ...(timeout && { timeout }) }, () => run(engine))
  }
}

/** Tools that a suite on this storage needs. */
export const needsOf = (name: StorageName): TestOptions => (name === 'postgres' || name === 'mysql' ? needs(name) : {})
