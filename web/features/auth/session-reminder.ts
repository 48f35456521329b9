/** When the user is asked whether to stay signed in. */
import type { EpochMs } from '#shared/epoch-ms'

const HOUR = 3_600_000
/** Starts this long before the end of the session. */
const REMIND_MS = 24 * HOUR
/** After a cancelled reminder, there is one more. */
const LAST_REMINDER_MS = HOUR

/** Suppresses the reminder for the session with this end, before `until`. */
export interface Snooze {
  endsAt: EpochMs
  until: EpochMs
}

export function isReminderDue(endsAt: EpochMs, snooze: Snooze | null, now: EpochMs): boolean {
  const isSnoozed = snooze?.endsAt === endsAt && now < snooze.until
  return endsAt > now && endsAt - now <= REMIND_MS && !isSnoozed
}

export const createSnooze = (endsAt: EpochMs, now: EpochMs): Snooze => ({
  endsAt,
  until: endsAt - now > LAST_REMINDER_MS ? endsAt - LAST_REMINDER_MS : endsAt,
})
