/** When the user is asked whether to stay signed in. */
const HOUR = 3_600_000
/** Starts this long before the end of the session. */
const REMIND_MS = 24 * HOUR
/** After a cancelled reminder, there is one more. */
const LAST_REMINDER_MS = HOUR

/** Suppresses the reminder for the session with this end, before `until`. Both in epoch ms. */
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
