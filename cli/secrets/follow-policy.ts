/** The policy of the server for this caller: defaults of the command line, and values that the server would refuse. */
import type { PublicSettings } from '#shared/api'
import { allowsLifetime } from '#shared/lifetimes'
import { MAX_VIEWS } from '#shared/limits'
import { formatPolicyValue } from '#shared/policies'
import { CliError } from '../lib/cli-error.js'

/** Seconds. Fits the requests of the API, which last longer than secrets. */
const REQUEST_TTL = 7 * 86_400

type Settings = Pick<PublicSettings, 'policy' | 'limits'>

/** Throws CliError `usage` for a lifetime that the server does not accept, in seconds. */
export function checkLifetime(ttl: number, { policy: { lifetimes } }: Settings): void {
  if (allowsLifetime(lifetimes, ttl)) return
  const hint = `this server accepts ${formatPolicyValue('lifetimes', lifetimes)}`
  throw new CliError('usage', '--ttl is out of range', hint)
}

/** Number of views; undefined: the API's default, which is unlimited for a public secret. Throws CliError `usage`. */
export function chooseViews(
  { views, keep, public: isPublic }: { views?: string | undefined; keep?: true; public?: true },
  { policy, limits: { maxViews } }: Settings,
): number | undefined {
  if (keep && !policy.unlimitedViews)
    throw new CliError('usage', 'this server does not accept --keep', atMost(maxViews))
  if (views === undefined) return keep || (isPublic && policy.unlimitedViews) ? undefined : policy.views
  const count = /^\d{1,9}$/.test(views) ? Number(views) : 0
  if (count >= 1 && count <= maxViews) return count
  throw new CliError('usage', `--views must be 1 to ${maxViews}`, maxViews < MAX_VIEWS ? atMost(maxViews) : undefined)
}

/** Throws CliError `usage` if the server requires a password or an address that is missing. */
export function checkRequired(
  { hasPassword, allowIp }: { hasPassword: boolean; allowIp: string | undefined },
  { policy }: Settings,
): void {
  if (policy.passwordRequired && !hasPassword) {
    throw new CliError('usage', 'this server requires a password', 'use --password or --generate-password')
  }
  checkAddress(allowIp, policy)
}

export function checkAddress(allowIp: string | undefined, { addressRequired }: PublicSettings['policy']): void {
  if (!addressRequired || allowIp !== undefined) return
  throw new CliError('usage', 'this server requires an IP address or range', 'use --allow-ip')
}

/** A week, or the default of the policy where that is not allowed. */
export const defaultRequestTtl = ({ policy: { lifetimes, ttl } }: Settings): number =>
  allowsLifetime(lifetimes, REQUEST_TTL) ? REQUEST_TTL : ttl

const atMost = (maxViews: number) => `this server accepts up to ${maxViews} ${maxViews === 1 ? 'view' : 'views'}`
