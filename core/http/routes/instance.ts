/** Routes of the instance: public settings, statistics and health. */
import {
  type CurrentSettings,
  findCreateRefusal,
  findEmailRefusal,
  findRequestRefusal,
} from '../../settings/settings-service.js'
import * as api from '../../shared/api/index.js'
import type { PublicInstanceSettings } from '../../shared/instance-settings.js'
import { MAX_VIEWS, TTL_MIN } from '../../shared/limits.js'
import type { Counts } from '../../stats/stats-summary.js'
import type { AccessRules } from '../guards/assert-access.js'
import { PreparedJson } from '../lib/prepared-json.js'
import { pickFieldsOf } from '../lib/response-fields.js'
import { defineRoute, type RouteConfig, type RouteRow } from './route.js'

/** Smaller counts are hidden: on a quiet day, a count could describe one person. */
const SMALLEST_SHOWN = 5

const getPublicSettings = defineRoute({
  summary: 'Get the public settings and limits',
  status: 200,
  response: api.PublicSettings,
  async handle(
    { caller },
    { settings, attachments, requests, accounts, setupCode, notifications, passwordReset, verification, webhooks },
    config,
  ) {
    const current = await settings.current()
    const uploads = await attachments.canUpload(caller)
    const setUp = await setupCode.isNeededCached()
    const refusal = findCreateRefusal(caller, current)
    const canCreate = refusal === null
    const canNotify = notifications.canNotify(caller)
    const emailUnverified = findEmailRefusal(caller, current) !== null
    // In read-only mode the page of a request says so.
    const requestRefusal = findRequestRefusal(caller, { ...current, read_only: false })
    const hasScope = caller.userId === null || caller.scopes.includes('secrets:create')
    const mayRequest = requestRefusal === null && hasScope && (await requests.isEnabled())
    const shared = await getOrPrepare(
      current,
      `${caller.userId === null} ${canCreate} ${canNotify} ${emailUnverified} ${uploads} ${mayRequest} ${setUp}`,
      async () => ({
        ...(pickPublic(current) as PublicInstanceSettings),
        limits: limitsOf(config, emailUnverified ? null : caller.userId),
        canCreate,
        emailUnverified,
        uploads,
        requests: mayRequest,
        signUp: await accounts.canSignUp(),
        organizationEmail: current.restrict_organization_email !== '',
        setUp,
        passwordReset: passwordReset.isEnabled(),
        notifications: notifications.isEnabled,
        canNotify,
        webhooks: webhooks.isEnabled,
        emailVerification: verification.isEnabled,
        providers: accounts.listSignInMethods(),
        version: config.version,
      }),
    )
    return new PreparedJson(`${shared},"address":${JSON.stringify(caller.address)}}`)
  },
})

type SharedSettings = Omit<api.PublicSettings, 'address'>

const pickPublic = pickFieldsOf(api.PublicInstanceSettings)
const pickShared = pickFieldsOf(api.PublicSettings.omit({ address: true }))
/**
 * JSON of everything but the address, without the closing brace: by the settings that it comes from, which are the same object for
 * a second, and by what differs between callers.
 */
const prepared = new WeakMap<CurrentSettings, Map<string, string>>()

async function getOrPrepare(
  current: CurrentSettings,
  callers: string,
  create: () => Promise<SharedSettings>,
): Promise<string> {
  const bodies = prepared.get(current) ?? new Map<string, string>()
  prepared.set(current, bodies)
  const known = bodies.get(callers)
  if (known !== undefined) return known
  const body = JSON.stringify(pickShared(await create())).slice(0, -1)
  bodies.set(callers, body)
  return body
}

const getStats = defineRoute({
  summary: 'Get statistics of the last 30 days',
  status: 200,
  response: api.Stats,
  async handle(_, { stats }) {
    const { days, total, live, medianWait } = await stats.read()
    return {
      days: days.map(({ day, counts }) => ({ day, ...hideSmall(counts) })),
      total: hideSmall(total),
      live: hideIfSmall(live),
      medianWait: total.opened < SMALLEST_SHOWN ? null : medianWait,
    }
  },
})

const checkLiveness = defineRoute({
  summary: 'Liveness probe',
  status: 204,
  handle: async () => {},
})

const checkReadiness = defineRoute({
  summary: 'Readiness probe: checks the storage and the file store',
  status: 204,
  errors: ['storage.unavailable', 'file.unavailable', 'server.busy'],
  handle: (_, { health }) => health.ready(),
})

// biome-ignore format: one row per route
export const instanceRoutes: RouteRow[] = [
  ['GET', '/stats',    'list',  statsAccess, getStats],
  ['GET', '/settings', 'cheap', {},          getPublicSettings],
  ['GET', '/healthz',  null,    {},          checkLiveness],
  ['GET', '/readyz',   'probe', {},          checkReadiness],
]

function statsAccess({ statsFor }: RouteConfig): AccessRules {
  return statsFor === 'admin' ? { requires: 'admin' } : {}
}

function limitsOf(config: RouteConfig, userId: string | null): api.PublicSettings['limits'] {
  const { maxTextBytes, maxFileBytes, maxFiles, ttlMaxAnonymous, ttlMaxUser, passwordMin, passwordMax } = config
  return {
    maxTextBytes,
    maxFileBytes,
    maxFiles,
    maxViews: MAX_VIEWS,
    ttlMin: TTL_MIN,
    ttlMax: userId === null ? ttlMaxAnonymous : ttlMaxUser,
    ttlMaxUser,
    passwordMin,
    passwordMax,
  }
}

function hideSmall(counts: Counts): api.Stats['total'] {
  const pairs = Object.entries(counts).map(([name, count]) => [name, hideIfSmall(count)])
  return Object.fromEntries(pairs) as api.Stats['total']
}

const hideIfSmall = (count: number): number | null => (count > 0 && count < SMALLEST_SHOWN ? null : count)
