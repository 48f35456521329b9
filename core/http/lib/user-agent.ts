/** A readable label of a User-Agent header, for the list of sessions. */
import { CLIENT_JOINT } from '../../shared/account-limits.js'

/** In order of precedence: most programs also name compatible programs. */
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

/** Returns a label such as `Firefox on Windows`, or an empty string for an unknown User-Agent. */
export function describeUserAgent(userAgent: string): string {
  const match = (patterns: [RegExp, string][]) => patterns.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [match(PROGRAMS), match(SYSTEMS)].filter((label) => label !== undefined).join(CLIENT_JOINT)
}

/** The program in a label of `describeUserAgent`, such as `Firefox`; null if unknown. */
export function browserOf(label: string): string | null {
  const [first] = label.split(CLIENT_JOINT)
  return PROGRAMS.some(([, name]) => name === first) ? (first ?? null) : null
}
