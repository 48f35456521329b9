import type { Finding } from '#core/runtime'
import type { Color, Io } from '../../output/io.js'

export { fail, ok, warn } from '#core/runtime'

/** The result of one check of doctor. */
export interface CheckResult extends Finding {
  /** Fixes it automatically, with --fix. */
  repair?: () => Promise<unknown>
}

const LEVEL_COLORS: Record<Finding['level'], Color> = { ok: 'green', warn: 'yellow', fail: 'red' }

/** Returns the first column of a line on stdout, four characters wide. */
export const formatLevel = (level: Finding['level'], io: Io): string =>
  io.paintResult(LEVEL_COLORS[level], level) + ' '.repeat(4 - level.length)
