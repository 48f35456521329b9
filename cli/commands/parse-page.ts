/** Parses `--skip` and `--take`. */
import { TAKE_MAX } from '#shared/limits'
import { CliError } from '../lib/cli-error.js'

export interface PageFlags {
  skip?: string
  take?: string
}

/** Throws CliError `usage` for a value out of range. */
export function parsePage({ skip = '0', take = String(TAKE_MAX) }: PageFlags): { skip: number; take: number } {
  if (!/^\d{1,9}$/.test(skip)) throw new CliError('usage', '--skip must be a whole number')
  if (!/^\d{1,3}$/.test(take) || Number(take) < 1 || Number(take) > TAKE_MAX) {
    throw new CliError('usage', `--take must be 1 to ${TAKE_MAX}`)
  }
  return { skip: Number(skip), take: Number(take) }
}
