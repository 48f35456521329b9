import { USER_CODE_PATTERN } from '#shared/account-limits'

/** A typed code as programs show it, such as `BCDF-GHJK`. Null: it cannot be a code. */
export function parseUserCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '')
  return USER_CODE_PATTERN.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : null
}
