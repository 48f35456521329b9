/** Keeps a cancelled reminder across page loads, until the next one is due. */
import { readJson, storeJson } from '../../lib/stored-json.js'
import type { Snooze } from './session-reminder.js'

const KEY = 'session-snooze'

export function readSnooze(now: number): Snooze | null {
  const { endsAt, until } = Object(readJson('localStorage', KEY))
  if (Number.isFinite(endsAt) && until > now) return { endsAt, until }
  storeSnooze(null)
  return null
}

/** When storage is blocked, the reminder comes with the next page. */
export const storeSnooze = (snooze: Snooze | null): boolean => storeJson('localStorage', KEY, snooze)
