/** Routes of the instance: public settings, statistics and health. */
import { canUpload } from '../../attachments/upload-policy.js'
import { canResetPasswords } from '../../auth/password-reset.js'
import { canSignUp, listSignInMethods } from '../../auth/sign-in-methods.js'
import type { AuthContext } from '../../contracts/auth-context.js'
import { canNotify } from '../../notifications/notification-settings.js'
import type { CurrentSettings } from '../../settings/create-settings.js'
import {
  findCreateRefusal,
  findEmailRefusal,
  findGroupRefusal,
  findRequestRefusal,
} from '../../settings/creation-rules.js'
import { listAllowedPresets } from '../../settings/manage-presets.js'
import {
  listAudiences,
  type PolicyHolder,
  type ResolvedPolicy,
  resolvePolicy,
  startValues,
} from '../../settings/resolve-policy.js'
import * as api from '../../shared/api/index.js'
import type { PublicInstanceSettings } from '../../shared/instance-settings.js'
import type { Lifetime } from '../../shared/lifetimes.js'
import { TTL_MIN } from '../../shared/limits.js'
import type { AccessRules } from '../guards/assert-access.js'
import { PreparedJson } from '../lib/prepared-json.js'
import { pickFieldsOf } from '../lib/response-fields.js'
import { defineRoute, type RouteConfig, type RouteRow } from './route.js'

const getPublicSettingsRoute = defineRoute({
  summary: 'Get the public settings and limits',
  response: api.PublicSettings,
  async handle({ caller }, app, config) {
    const current = await app.settings.current()
    const setUp = current.needsSetup
    const policy = resolvePolicy(caller, current, config)
    const canCreate = findCreateRefusal(caller, current) === null && policy.mayCreate.value
    const uploads = canCreate && policy.files.value && (await canUpload(app, caller))
    const notifiesCaller = canNotify(app, caller)
    const emailUnverified = findEmailRefusal(caller, current) !== null
    const deniedByGroups = findGroupRefusal(caller, current) !== null
    // The page of a request shows a notice in read-only mode.
    const requestRefusal = findRequestRefusal(caller, { ...current, read_only: false })
    const hasScope = caller.userId === null || caller.scopes.includes('secrets:create')
    const mayRequest = requestRefusal === null && hasScope && policy.mayRequest.value
    const shared = await getOrPrepare(
      current,
      [
        JSON.stringify(listAudiences(caller, current)),
        caller.userId === null,
        canCreate,
        notifiesCaller,
        emailUnverified,
        deniedByGroups,
        uploads,
        mayRequest,
        setUp,
        JSON.stringify(caller.defaults),
      ].join(),
      async () => ({
        ...(pickPublic(current) as PublicInstanceSettings),
        limits: limitsOf(policy, config, resolvePolicy(ANY_USER, current, config)),
        policy: toOwnPolicy(policy, caller),
        presets: canCreate ? listAllowedPresets(current.presets, policy, app.settings.canVerifyEmail) : [],
        canCreate,
        emailUnverified,
        deniedByGroups,
        uploads,
        requests: mayRequest,
        signUp: await canSignUp(app),
        organizationEmail: current.restrict_organization_email !== '',
        setUp,
        passwordReset: canResetPasswords(app),
        notifications: app.channels.mail.length > 0,
        canNotify: notifiesCaller,
        webhooks: app.channels.webhooks !== null,
        emailVerification: app.settings.canVerifyEmail,
        providers: listSignInMethods(app),
        role: config.role,
        version: config.version,
        ...(config.role === 'open' && NOT_OFFERED),
      }),
    )
    return new PreparedJson(`${shared},"address":${JSON.stringify(caller.address)}}`)
  },
})

/** Features that a process with the role `open` does not offer, with any settings of the instance. */
const NOT_OFFERED: Partial<api.PublicSettings> = {
  canCreate: false,
  presets: [],
  requests: false,
  signUp: false,
  setUp: false,
  providers: [],
  passwordReset: false,
  canNotify: false,
  webhooks: false,
  emailVerification: false,
}

type SharedSettings = Omit<api.PublicSettings, 'address'>

const pickPublic = pickFieldsOf(api.PublicInstanceSettings)
const pickShared = pickFieldsOf(api.PublicSettings.omit({ address: true }))
/**
 * JSON of everything but the address, without the closing brace: by its settings, which are the same object for a
 * second, and by the values that differ between callers.
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

const getStatsRoute = defineRoute({
  summary: 'Get statistics of the last 30 days',
  response: api.Stats,
  handle: (_, { background }) => background.stats.readPublic(),
})

const checkLivenessRoute = defineRoute({
  summary: 'Liveness probe',
  handle: async () => {},
})

const checkReadinessRoute = defineRoute({
  summary: 'Readiness probe: checks the storage and the file store',
  errors: ['storage.unavailable', 'file.unavailable', 'server.busy'],
  handle: (_, { background }) => background.health.ready(),
})

// biome-ignore format: one row per route
export const instanceRoutes: RouteRow[] = [
  ['GET', '/stats',    'list',  statsAccess,               getStatsRoute],
  ['GET', '/settings', 'cheap', { whileRestricted: true }, getPublicSettingsRoute, 'open'],
  ['GET', '/healthz',  null,    { whileRestricted: true }, checkLivenessRoute, 'open'],
  ['GET', '/readyz',   'probe', { whileRestricted: true }, checkReadinessRoute, 'open'],
]

function statsAccess({ statsFor }: RouteConfig): AccessRules {
  return statsFor === 'admin' ? { requires: 'admin' } : {}
}

function limitsOf(
  { lifetimes, maxViews, maxFileBytes }: ResolvedPolicy,
  config: RouteConfig,
  ofUsers: ResolvedPolicy,
): api.PublicSettings['limits'] {
  const { maxTextBytes, maxFiles, passwordMin, passwordMax, readGraceSeconds, downloadGraceSeconds } = config
  return {
    maxTextBytes,
    maxFileBytes: maxFileBytes.value,
    maxFiles,
    maxViews: maxViews.value,
    ttlMin: lifetimes.value[0]?.min ?? TTL_MIN,
    ttlMax: longestOf(lifetimes.value),
    ttlMaxUser: longestOf(ofUsers.lifetimes.value),
    passwordMin,
    passwordMax,
    readGraceSeconds,
    downloadGraceSeconds,
  }
}

/** The user that `ttlMaxUser` describes: without groups. */
const ANY_USER: PolicyHolder = {
  userId: '',
  role: 'user',
  emailVerified: true,
  creationDeniedBy: null,
  groups: null,
  assignedGroups: [],
}

const longestOf = (lifetimes: Lifetime[]): number => lifetimes.at(-1)?.max ?? TTL_MIN

const toOwnPolicy = (policy: ResolvedPolicy, caller: AuthContext): api.PublicSettings['policy'] => ({
  lifetimes: policy.lifetimes.value,
  ...startValues(policy, caller),
  unlimitedViews: policy.maxViews.from.length === 0,
  files: policy.files.value,
  passwordRequired: policy.password.value === 'required',
  addressRequired: policy.requireAddress.value,
})
