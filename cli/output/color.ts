/** Decides whether a stream is colored. */

export type Env = Record<string, string | undefined>

/**
 * Follows NO_COLOR (no-color.org), CLICOLOR_FORCE, FORCE_COLOR and TERM=dumb. The flag `always` or `never` overrides
 * them all.
 */
export function wantsColor(flag: string, isTty: boolean, env: Env): boolean {
  if (flag === 'always' || flag === 'never') return flag === 'always'
  if (isSet(env, 'NO_COLOR')) return false
  if (isSet(env, 'FORCE_COLOR') || isSet(env, 'CLICOLOR_FORCE')) return env.FORCE_COLOR !== '0'
  return isTty && env.TERM !== 'dumb' && !isSet(env, 'CI')
}

/** An empty variable counts as unset. */
export const isSet = (env: Env, name: string): boolean => (env[name] ?? '') !== ''
