/** When somebody is asked whether to stay signed in. */
const HOUR = 3_600_000
/** The session's last day. */
const REMIND_MS = 24 * HOUR
/** Who did not want to be asked is asked once more. */
const LAST_REMINDER_MS = HOUR

/** They do not want to be asked about the session that ends then, before `until`. Both in epoch ms. */
export interface Snooze {
  endsAt: number
  until: number
}

export function isReminderDue(endsAt: number, snooze: Snooze | null, now: number): boolean {
  const isSnoozed = snooze?.endsAt === endsAt && now < snooze.until
  return endsAt > now && endsAt - now <= REMIND_MS && !isSnoozed
}

export const createSnooze = (endsAt: number, now: number): Snooze => ({
  endsAt,
  until: endsAt - now > LAST_REMINDER_MS ? endsAt - LAST_REMINDER_MS : endsAt,
})
