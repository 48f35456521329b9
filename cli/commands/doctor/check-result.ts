/** What a check has found. */
export interface CheckResult {
  section: string
  check: string
  level: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do about it. */
  fix?: string
  /** Does it, where a program can. */
  repair?: () => Promise<unknown>
}

export const ok = (section: string, check: string, message: string): CheckResult => ({
  section,
  check,
  level: 'ok',
  message,
})
export const warn = (section: string, check: string, message: string, fix: string): CheckResult => ({
  ...{ section, check, level: 'warn', message, fix },
})
export const fail = (section: string, check: string, message: string, fix: string): CheckResult => ({
  ...{ section, check, level: 'fail', message, fix },
})
