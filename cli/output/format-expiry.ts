/** Formats the limits of a secret. */
import type { EpochMs } from '#shared/epoch-ms'
import { formatDuration } from './duration.js'

/** `once`, `3 times` or `any number of times`. */
export function formatViews(views: number | null): string {
  if (views === null) return 'any number of times'
  return views === 1 ? 'once' : `${views} times`
}

/** `2026-11-22T04:00:00Z`; null for a time that is not known. */
export function formatTime(at: EpochMs): string
export function formatTime(at: EpochMs | null): string | null
export function formatTime(at: EpochMs | null): string | null {
  return at === null ? null : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** `in 1 day (2026-11-22T04:00:00Z)`. */
export const formatExpiry = (at: EpochMs, now: EpochMs): string =>
  `in ${formatDuration((at - now) / 1000)} (${formatTime(at)})`
