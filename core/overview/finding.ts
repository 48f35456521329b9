/** The result of one check of an instance. */
export interface Finding {
  section: string
  check: string
  level: 'ok' | 'warn' | 'fail'
  message: string
  /** How to fix it. */
  fix?: string
}

export const ok = (section: string, check: string, message: string): Finding => ({
  section,
  check,
  level: 'ok',
  message,
})
export const warn = (section: string, check: string, message: string, fix: string): Finding => ({
  section,
  check,
  level: 'warn',
  message,
  fix,
})
export const fail = (section: string, check: string, message: string, fix: string): Finding => ({
  section,
  check,
  level: 'fail',
  message,
  fix,
})
