/** What somebody signs in with, in words that they recognise in the list of their sessions. */
import { CLIENT_JOINT } from '../shared/account-limits.js'

/** In order: most programs also name those that they are like. */
const PROGRAMS: [RegExp, string][] = [
  [/\bmayfly\//i, 'Mayfly'],
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox on Windows` of a User-Agent; empty when it says nothing known. */
export function clientName(userAgent: string): string {
  const named = (of: [RegExp, string][]) => of.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [named(PROGRAMS), named(SYSTEMS)].filter((name) => name !== undefined).join(CLIENT_JOINT)
}
