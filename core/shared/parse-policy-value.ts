/** Reads the values of policies as people write them. */
import { POLICY_COLUMNS, type PolicyColumn, type PolicyValues } from './policies.js'
import { parseDuration, parseSize } from './setting-text.js'

/** An example of each kind of text, for messages. */
export const POLICY_EXAMPLES = { lifetimes: '1h,1d..7d', duration: '1d', count: '1', size: '10MiB' } as const

/**
 * Returns the value of a text such as `1h,1d..7d` or `10MiB`; null if it is not valid. The inverse of
 * `formatPolicyValue`. The server checks the limits.
 */
export function parsePolicyValue(column: PolicyColumn, text: string): PolicyValues[PolicyColumn] | null {
  const type = POLICY_COLUMNS[column]
  if (type === 'lifetimes') {
    const ranges = text.split(',').map(parseLifetime)
    return ranges.every((range) => range !== null) ? ranges : null
  }
  if (type === 'duration') return toWhole(parseDuration(text.trim(), 1000))
  if (type === 'count') return /^\d{1,9}$/.test(text.trim()) ? Number(text) : null
  if (type === 'size') return toWhole(parseSize(text.trim()))
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  return type.find((word) => word === text) ?? null
}

/** True for a valid text, and for an empty text, which sets nothing. */
export const isPolicyText = (column: PolicyColumn, text: string): boolean =>
  text.trim() === '' || parsePolicyValue(column, text) !== null

function parseLifetime(text: string) {
  const [first = '', last = first, ...rest] = text.split('..')
  const [min, max] = [first, last].map((end) => toWhole(parseDuration(end.trim(), 1000)))
  return rest.length === 0 && min && max ? { min, max } : null
}

const toWhole = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
