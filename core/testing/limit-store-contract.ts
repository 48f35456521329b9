/** Tests of the requirements in core/contracts/limits.ts. */
import { afterAll, beforeAll } from 'vitest'
import type { LimitStore } from '../contracts/limits.js'
import { lateBound } from './lib/late-bound.js'
import { limitContract } from './storage/limits.js'

export interface OpenedLimitStore {
  limits: LimitStore
  /** True for a store whose windows end by themselves: its `deleteExpired` returns 0. */
  isSelfCleaning?: boolean
  close(): Promise<void>
}

/** Call it in a test file of your plugin, under vitest. Each test uses its own counters. */
export function limitStoreContract(open: () => Promise<OpenedLimitStore>): void {
  let opened: OpenedLimitStore
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  limitContract(
    lateBound(() => opened.limits),
    () => opened.isSelfCleaning === true,
  )
}
