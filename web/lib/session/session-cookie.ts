import type { EpochMs } from '#shared/epoch-ms'

/** The session in the cookie that pages can read. */
export interface SessionInfo {
  username: string
  endsAt: EpochMs
}

/** `cookies` as in `document.cookie`. Null when the cookie is missing or malformed. */
export function parseSessionCookie(cookies: string): SessionInfo | null {
  const value = /(?:^|; )(?:__Host-)?public=([^;]+)/.exec(cookies)?.[1]
  if (!value) return null
  try {
    const { username, expirationDate } = JSON.parse(atob(value))
    const endsAt = Date.parse(expirationDate)
    return typeof username === 'string' && !Number.isNaN(endsAt) ? { username, endsAt } : null
  } catch {
    return null
  }
}
