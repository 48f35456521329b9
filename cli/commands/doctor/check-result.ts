import type { Color, Io } from '../../output/io.js'

export type CheckLevel = 'ok' | 'warn' | 'fail'

/** The result of one check. */
export interface CheckResult {
  section: string
  check: string
  level: CheckLevel
  message: string
  /** How to fix it. */
  fix?: string
  /** Fixes it automatically, with --fix. */
  repair?: () => Promise<unknown>
}

export const ok = (section: string, check: string, message: string): CheckResult => ({
  section,
  check,
  level: 'ok',
  message,
})
export const warn = (section: string, check: string, message: string, fix: string): CheckResult => ({
  ...{ section, check, level: 'warn', message, fix },
})
export const fail = (section: string, check: string, message: string, fix: string): CheckResult => ({
  ...{ section, check, level: 'fail', message, fix },
})

const LEVEL_COLORS: Record<CheckLevel, Color> = { ok: 'green', warn: 'yellow', fail: 'red' }

/** Returns the first column of a line on stdout, four characters wide. */
export const formatLevel = (level: CheckLevel, io: Io): string =>
  io.paintResult(LEVEL_COLORS[level], level) + ' '.repeat(4 - level.length)
