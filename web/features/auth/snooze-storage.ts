/** Keeps a cancelled reminder across page loads, until the next one is due. */
import type { Snooze } from './session-reminder.js'

const KEY = 'session-snooze'

export function readSnooze(now: number): Snooze | null {
  try {
    const { endsAt, until } = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (Number.isFinite(endsAt) && until > now) return { endsAt, until }
    storeSnooze(null)
  } catch {
    // Nothing is stored, or storage is blocked: the reminder comes with the next page.
  }
  return null
}

export function storeSnooze(snooze: Snooze | null): void {
  try {
    if (snooze) localStorage.setItem(KEY, JSON.stringify(snooze))
    else localStorage.removeItem(KEY)
  } catch {
    // As above.
  }
}
