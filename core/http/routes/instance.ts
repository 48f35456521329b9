/** Routes of the instance: public settings, statistics and health. */
import type { AuthContext } from '../../contracts/auth-context.js'
import type { CurrentSettings } from '../../settings/settings-service.js'
import * as api from '../../shared/api/index.js'
import type { PublicInstanceSettings } from '../../shared/instance-settings.js'
import { MAX_VIEWS, TTL_MIN } from '../../shared/limits.js'
import type { Counts } from '../../stats/stats-summary.js'
import { pickFieldsOf } from '../lib/response-fields.js'
import type { AccessRules } from '../middleware/assert-access.js'
import { defineRoute, type RouteConfig, type RouteRow } from './route.js'

/** Smaller counts are hidden: on a quiet day, a count could describe one person. */
const SMALLEST_SHOWN = 5

const getPublicSettings = defineRoute({
  summary: 'Get the public settings and limits',
  status: 200,
  response: api.PublicSettings,
  async handle({ caller }, { settings, attachments, requests, accounts, setupCode }, config) {
    const current = await settings.current()
    return {
      ...publicOf(current),
      limits: limitsOf(config, caller),
      uploads: await attachments.canUpload(caller),
      requests: canCreateRequests(config, caller) && (await requests.isEnabled()),
      signUp: await accounts.canSignUp(),
      organizationEmail: current.restrict_organization_email !== '',
      setUp: await setupCode.isNeededCached(),
      providers: accounts.listSignInMethods(),
      address: caller.address,
      version: config.version,
    }
  },
})

const pickPublic = pickFieldsOf(api.PublicInstanceSettings)
/** By the settings that they come from, which are the same object for a second. */
const publicSettings = new WeakMap<CurrentSettings, PublicInstanceSettings>()

function publicOf(current: CurrentSettings): PublicInstanceSettings {
  const known = publicSettings.get(current)
  if (known) return known
  const picked = pickPublic(current) as PublicInstanceSettings
  publicSettings.set(current, picked)
  return picked
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
  errors: ['storage.unavailable', 'file.unavailable'],
  handle: (_, { health }) => health.ready(),
})

// biome-ignore format: one row per route
export const instanceRoutes: RouteRow[] = [
  ['GET', '/stats',    'list',  statsAccess, getStats],
  ['GET', '/settings', 'cheap', {},          getPublicSettings],
  ['GET', '/healthz',  null,    {},          checkLiveness],
  ['GET', '/readyz',   'probe', {},          checkReadiness],
]

/** The rules of `POST /request`. */
function canCreateRequests({ requestsFor }: RouteConfig, { userId, scopes }: AuthContext): boolean {
  if (requestsFor === 'admins') return scopes.includes('admin')
  return userId === null ? requestsFor === 'anyone' : scopes.includes('secrets:create')
}

function statsAccess({ statsFor }: RouteConfig): AccessRules {
  return statsFor === 'admin' ? { requires: 'admin' } : {}
}

function limitsOf(config: RouteConfig, { userId }: AuthContext): api.PublicSettings['limits'] {
  const { maxTextBytes, maxFileBytes, maxFiles, ttlMaxAnonymous, ttlMaxUser, passwordMin, passwordMax } = config
  return {
    maxTextBytes,
    maxFileBytes,
    maxFiles,
    maxViews: MAX_VIEWS,
    ttlMin: TTL_MIN,
    ttlMax: userId === null ? ttlMaxAnonymous : ttlMaxUser,
    passwordMin,
    passwordMax,
  }
}

function hideSmall(counts: Counts): api.Stats['total'] {
  const pairs = Object.entries(counts).map(([name, count]) => [name, hideIfSmall(count)])
  return Object.fromEntries(pairs) as api.Stats['total']
}

const hideIfSmall = (count: number): number | null => (count > 0 && count < SMALLEST_SHOWN ? null : count)
