import { secondsOf, type Unit } from '../../../lib/format.js'

export interface ExpiryOptions {
  /** Seconds, or the amount and unit below. */
  ttl: number | 'custom'
  amount: string
  unit: Unit
}

/** Seconds; NaN when the custom amount is not a whole number. */
export function ttlSeconds({ ttl, amount, unit }: ExpiryOptions): number {
  if (ttl !== 'custom') return ttl
  return /^\d{1,9}$/.test(amount) ? Number(amount) * secondsOf(unit) : Number.NaN
}
