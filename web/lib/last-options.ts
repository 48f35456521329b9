/**
 * The options of the last secret that was created in this browser, until the user signs out. Never its text, title,
 * label, files, password, address or recipients.
 */
import { storeJson } from './stored-json.js'

const KEY = 'last-options'
/** Characters; the stored object has fewer. */
const LENGTH_MAX = 500

export interface LastOptions {
  /** Seconds. */
  ttl: number
  views: number
  preventBurn: boolean
  notify: boolean
  receipt: boolean
  isMoreOpen: boolean
}

/** Fields may have any value. Null when nothing or no object is stored, or storage is blocked. */
export function readLastOptions(): Partial<Record<keyof LastOptions, unknown>> | null {
  try {
    const text = localStorage.getItem(KEY) ?? ''
    const stored: unknown = text.length > LENGTH_MAX ? null : JSON.parse(text)
    return typeof stored === 'object' ? stored : null
  } catch {
    return null
  }
}

/** Null removes them. When storage is blocked or full, the next form starts with the defaults. */
export const storeLastOptions = (options: LastOptions | null): boolean => storeJson('localStorage', KEY, options)
