/**
 * Public counts. A visitor who adds events and subtracts them must not learn whether another person caused one: each
 * count gets noise that is fixed for its day and name, and is rounded afterwards.
 */
import { createHmac } from 'node:crypto'
import type { Counts, Summary } from './stats-summary.js'

/** Counts are multiples of this. */
const STEP = 5
/** Scale of the noise: one more event changes the probability of each result by a factor of at most e^(1/SCALE). */
const SCALE = 2
/** Bound of the noise, so that a count stays readable. Reached once in 3,000 counts. */
const NOISE_MAX = 16
const UINT32 = 2 ** 32

export type BlurredCounts = { [Name in keyof Counts]: number | null }

export interface PublicStats {
  days: ({ day: string } & BlurredCounts)[]
  total: BlurredCounts
  live: number | null
  medianWait: number | null
}

/** `key`: of the instance, so that every process adds the same noise. */
export function blurStats({ days, total, live, medianWait }: Summary & { live: number }, key: Buffer): PublicStats {
  const today = days.at(-1)?.day ?? ''
  const blur = (counts: Counts, label: string) => {
    const pairs = Object.entries(counts).map(([name, count]) => [name, blurCount(count, `${label} ${name}`, key)])
    return Object.fromEntries(pairs) as BlurredCounts
  }
  const blurredTotal = blur(total, `until ${today}`)
  return {
    days: days.map(({ day, counts }) => ({ day, ...blur(counts, day) })),
    total: blurredTotal,
    live: blurCount(live, `live ${today}`, key),
    medianWait: blurredTotal.opened ? medianWait : null,
  }
}

/**
 * Returns a multiple of STEP; null for a count that rounds to 0; 0 only without any event. `label`: identifies the
 * count.
 */
export function blurCount(count: number, label: string, key: Buffer): number | null {
  if (count === 0) return 0
  const rounded = Math.round((count + drawNoise(label, key)) / STEP) * STEP
  return rounded <= 0 ? null : rounded
}

/** Discrete Laplace distribution: the difference of two geometric ones. */
function drawNoise(label: string, key: Buffer): number {
  const bytes = createHmac('sha256', key).update(`mayfly/v1/stats ${label}`).digest()
  const noise = toGeometric(bytes.readUInt32BE(0)) - toGeometric(bytes.readUInt32BE(4))
  return Math.max(-NOISE_MAX, Math.min(NOISE_MAX, noise))
}

const toGeometric = (random: number): number => Math.floor(-Math.log((random + 1) / UINT32) * SCALE)
