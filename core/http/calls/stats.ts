/** The call about the statistics. */
import * as api from '../../shared/api.js'
import type { Counts } from '../../stats/summary.js'
import { call } from '../call.js'

export interface StatsSettings {
  statsFor: 'anyone' | 'admin'
}

/** Fewer than this are not told exactly: on a quiet day a number could be one person. */
const TOLD_FROM = 5

export function statsCalls({ statsFor }: StatsSettings) {
  return [
    call({
      method: 'GET',
      path: '/stats',
      summary: 'What happened how often in the last 30 days',
      limit: 'list',
      ...(statsFor === 'admin' && { needs: 'admin' as const }),
      status: 200,
      answer: api.Stats,
      async handle(_, { stats }) {
        const { days, total, live, medianWait } = await stats.read()
        return {
          days: days.map(({ day, counts }) => ({ day, ...told(counts) })),
          total: told(total),
          live: roughly(live),
          medianWait: total.opened < TOLD_FROM ? null : medianWait,
        }
      },
    }),
  ]
}

const roughly = (count: number): number | null => (count > 0 && count < TOLD_FROM ? null : count)

function told(counts: Counts): api.Stats['total'] {
  const pairs = Object.entries(counts).map(([name, count]) => [name, roughly(count)])
  return Object.fromEntries(pairs) as api.Stats['total']
}
