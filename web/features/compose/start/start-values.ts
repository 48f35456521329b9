/**
 * The initial values of the form. For each value, the first of these counts: a change of the user, the chosen
 * preset, the options of the last secret in this browser, and the defaults in `policy`, which the server takes from the
 * account, the policy and its own defaults, see "What forms start with" in docs/administration.md.
 */
import type { PublicSettings } from '#shared/api'
import { allowsLifetime } from '#shared/lifetimes'
import { type LastOptions, readLastOptions, storeLastOptions } from '../../../lib/last-options.js'
import type { Options } from '../draft/draft-store.js'
import { ttlSeconds } from '../draft/expiry-options.js'
import { parseViews } from '../draft/validate-draft.js'

export type StartValues = Pick<Options, 'ttl' | 'views' | 'preventBurn' | 'notify' | 'receipt'>
type Preset = PublicSettings['presets'][number]

const NAMES = ['ttl', 'views', 'preventBurn', 'notify', 'receipt'] as const

export const isSame = (a: StartValues, b: StartValues): boolean => NAMES.every((name) => a[name] === b[name])

export const defaultValues = ({ policy }: Pick<PublicSettings, 'policy'>): StartValues => ({
  ttl: policy.ttl,
  views: String(policy.views),
  preventBurn: false,
  notify: false,
  receipt: false,
})

/** Replaces values that are invalid, or that the current policy does not allow, by the defaults. */
export function lastValues(settings: PublicSettings): StartValues & Pick<LastOptions, 'isMoreOpen'> {
  const { policy, limits, canNotify } = settings
  const { ttl, views, preventBurn, notify, receipt, isMoreOpen } = readLastOptions() ?? {}
  const defaults = defaultValues(settings)
  return {
    ttl: isWhole(ttl) && allowsLifetime(policy.lifetimes, ttl) ? ttl : defaults.ttl,
    views: isWhole(views) && views >= 1 && views <= limits.maxViews ? String(views) : defaults.views,
    preventBurn: preventBurn === true && policy.unlimitedViews,
    notify: notify === true && canNotify,
    receipt: receipt === true,
    isMoreOpen: isMoreOpen === true,
  }
}

/** `before`: the values where the preset says nothing. */
export function presetValues({ ttl, maxViews, options }: Preset, before: StartValues): StartValues {
  return {
    ttl: ttl ?? before.ttl,
    views: maxViews === undefined ? before.views : String(maxViews),
    preventBurn: options.includes('preventBurn'),
    notify: options.includes('notify'),
    receipt: options.includes('receipt'),
  }
}

/** For the next form. Forgets the last options when the form has the defaults. */
export function keepOptions(
  options: Options,
  { initial, isMoreOpen }: { initial: Options; isMoreOpen: boolean },
): void {
  if (options.isPublic) return
  const { preventBurn, notify, receipt } = options
  const values = { ttl: ttlSeconds(options), views: parseViews(options), preventBurn, notify, receipt, isMoreOpen }
  storeLastOptions(isMoreOpen || !isSame(options, initial) ? values : null)
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
