/** When somebody is asked whether to stay signed in. */
const HOUR = 3_600_000
/** The session's last day. */
const ASK_MS = 24 * HOUR
/** Who did not want to be asked is asked once more. */
const LAST_MS = HOUR

/** They do not want to be asked about the session that ends then, before `until`. Both in epoch ms. */
export interface Snooze {
  endsAt: number
  until: number
}

export function isDue(endsAt: number, snooze: Snooze | null, now: number): boolean {
  const isSnoozed = snooze?.endsAt === endsAt && now < snooze.until
  return endsAt > now && endsAt - now <= ASK_MS && !isSnoozed
}

export const snoozed = (endsAt: number, now: number): Snooze => ({
  endsAt,
  until: endsAt - now > LAST_MS ? endsAt - LAST_MS : endsAt,
})
