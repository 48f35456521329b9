/** Checks that a running server and `mayfly doctor` do. They change nothing. */
import { QUEUE_FULL } from '../contracts/outbox.js'
import type { Storage } from '../contracts/storage.js'
import type { StartupConfig } from '../settings/startup-config.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { lookUp } from '../shared/look-up.js'
import { isWideRange } from '../shared/proxy-ranges.js'
import { ok, problem, type ServerFinding } from './finding.js'

/** End of life by major version of Node.js. Odd versions are never long-term. */
const NODE_END_OF_LIFE: Record<string, string> = {
  '20': '2026-04-30',
  '22': '2027-04-30',
  '24': '2028-04-30',
  '26': '2029-04-30',
}
/** Number of events that are read, the newest first. */
const QUEUE_FULL_MAX = 1000

export function checkNodeVersion(version: string, now: EpochMs): ServerFinding {
  const major = version.split('.')[0] ?? ''
  const date = lookUp(NODE_END_OF_LIFE, major)
  if (date !== undefined && Date.parse(date) < now) return problem('node_ended', { version, date })
  return Number(major) % 2 === 0 ? ok('config', 'node', `Node ${version}`) : problem('node_short_term', { version })
}

/** Checks the start-up configuration for insecure settings. */
export function checkExposure({ publicUrl, trustedProxies, limits }: StartupConfig): ServerFinding[] {
  return [
    checkPublicUrl(publicUrl, trustedProxies),
    ...(trustedProxies.some(isWideRange) ? [problem('proxies_wide', {})] : []),
    ...(limits === 'off' ? [problem('limits_off', {})] : []),
  ]
}

export const checkConnection = ({ isUnencrypted }: Storage): ServerFinding[] =>
  isUnencrypted ? [problem('database_unencrypted', {})] : []

/** A warning for each subscriber that has missed events, because too many were waiting. */
export async function checkQueues({ outbox }: Storage): Promise<ServerFinding[]> {
  const dead = await outbox.list({ state: 'dead', result: QUEUE_FULL }, { skip: 0, take: QUEUE_FULL_MAX })
  return [...new Set(dead.map(({ subscriber }) => subscriber))].map((subscriber) =>
    problem('events_lost', { subscriber, command: `mayfly events redeliver --subscriber ${subscriber}` }),
  )
}

function checkPublicUrl(publicUrl: string, trustedProxies: string[]): ServerFinding {
  if (publicUrl === '') return problem('public_url_missing', {})
  if (!publicUrl.startsWith('https:')) return problem('public_url_not_https', {})
  return trustedProxies.length > 0 ? ok('config', 'publicUrl', publicUrl) : problem('proxies_missing', {})
}
