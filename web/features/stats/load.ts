import type { Stats } from '#shared/api'
import { ApiError } from '#shared/client'
import { api } from '../../lib/api.js'

/** The statistics, or why this reader gets none. */
export type LoadedStats = { stats: Stats } | { refusal: ApiError }

export async function loadStats(): Promise<LoadedStats> {
  try {
    return { stats: await api.stats() }
  } catch (error) {
    if (error instanceof ApiError && error.code.startsWith('auth.')) return { refusal: error }
    throw error
  }
}
