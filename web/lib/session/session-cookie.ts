/** Who is signed in and until when, as the server writes it for pages to show. */
export interface Login {
  username: string
  /** Epoch ms. */
  endsAt: number
}

/** `cookies` as `document.cookie` has them. Null for a cookie that is not as the server writes it. */
export function loginIn(cookies: string): Login | null {
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
