/** The result of one check. */
export interface CheckResult {
  section: string
  check: string
  level: 'ok' | 'warn' | 'fail'
  message: string
  /** How to fix it. */
  fix?: string
  /** Fixes it automatically, with --fix. */
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
