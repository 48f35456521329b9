/** Checks that a running server can do, which `mayfly doctor` does as well. They change nothing. */
import { QUEUE_FULL } from '../contracts/outbox.js'
import type { Storage } from '../contracts/storage.js'
import type { StartupConfig } from '../settings/startup-config.js'
import { isWideRange } from '../shared/proxy-ranges.js'
import { type Finding, ok, warn } from './finding.js'

/** End of life by major version of Node.js. Odd versions are never long-term. */
const NODE_END_OF_LIFE: Record<string, string> = {
  '20': '2026-04-30',
  '22': '2027-04-30',
  '24': '2028-04-30',
  '26': '2029-04-30',
}
/** Number of events that are looked at, the newest. */
const QUEUE_FULL_MAX = 1000

/** `now`: epoch ms. */
export function checkNodeVersion(node: string, now: number): Finding {
  const major = node.split('.')[0] ?? ''
  const end = NODE_END_OF_LIFE[major]
  if (end !== undefined && Date.parse(end) < now) {
    const message = `Node ${node} gets no security fixes since ${end}`
    return warn('config', 'node', message, 'install the newest long-term version of Node.js')
  }
  if (Number(major) % 2 === 0) return ok('config', 'node', `Node ${node}`)
  const fix = 'install the newest long-term version of Node.js, which has an even number'
  return warn('config', 'node', `Node ${node} is not a long-term version`, fix)
}

/** What others could do with the start-up configuration. */
export function checkExposure({ publicUrl, trustedProxies, limits }: StartupConfig): Finding[] {
  const results = checkPublicUrl(publicUrl, trustedProxies)
  if (trustedProxies.some(isWideRange)) {
    const what = 'trusts every address, so any client can choose the address that the limits see'
    results.push(warn('config', 'trustedProxies', what, 'set MAYFLY_TRUSTED_PROXIES to the address of the proxy'))
  }
  if (limits === 'off') {
    const what = 'off: nothing slows down guessing or flooding'
    results.push(warn('config', 'limits', what, 'remove limits=off (MAYFLY_LIMITS); limitFactor raises the limits'))
  }
  return results
}

export const checkConnection = ({ isUnencrypted }: Storage): Finding[] =>
  isUnencrypted ? [warn('database', 'connection', 'not encrypted', 'turn on TLS, see docs/databases.md')] : []

export async function checkAdministrator({ users }: Storage): Promise<Finding[]> {
  if (await users.hasAdmin()) return [ok('database', 'administrator', 'exists')]
  const fix = 'mayfly user add NAME --role admin --email ADDRESS'
  return [warn('database', 'administrator', 'there is none', fix)]
}

/** A warning for each subscriber that has missed events, because too many were waiting. */
export async function checkQueues({ outbox }: Storage): Promise<Finding[]> {
  const dead = await outbox.list({ state: 'dead', result: QUEUE_FULL }, { skip: 0, take: QUEUE_FULL_MAX })
  return [...new Set(dead.map(({ subscriber }) => subscriber))].map((subscriber) => {
    const what = 'events were given up, because too many waited'
    const filter = `--subscriber ${subscriber}`
    const fix = `check it with \`mayfly events ping ${subscriber}\`, then \`mayfly events redeliver ${filter}\`; if it was removed, \`mayfly events purge ${filter}\``
    return warn('database', `events for ${subscriber}`, what, fix)
  })
}

function checkPublicUrl(publicUrl: string, trustedProxies: string[]): Finding[] {
  if (publicUrl === '')
    return [warn('config', 'publicUrl', 'not set, links point to localhost', 'set MAYFLY_PUBLIC_URL')]
  if (!publicUrl.startsWith('https:')) {
    return [warn('config', 'publicUrl', 'not https', 'put an https reverse proxy in front, see docs/one-machine.md')]
  }
  if (trustedProxies.length > 0) return [ok('config', 'publicUrl', publicUrl)]
  const what = 'empty, all clients seem to have the address of the proxy'
  return [warn('config', 'trustedProxies', what, 'set MAYFLY_TRUSTED_PROXIES to the address of the proxy')]
}
