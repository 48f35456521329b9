import type { PublicSettings } from '#shared/api'

const LIFETIMES_DAYS = [7, 30, 90, 365]

/** In days, up to the longest lifetime on this instance. */
export const allowedLifetimes = ({ token_lifetime_days: limit }: Pick<PublicSettings, 'token_lifetime_days'>) =>
  LIFETIMES_DAYS.filter((days) => limit === 'unlimited' || days <= Number(limit))
