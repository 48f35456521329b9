/** Headers that every answer has. The web plugin adds what a page needs. */
import type { Context, Next } from 'koa'

const TWO_YEARS_S = 63_072_000

/** Koa middleware. HSTS only where people come by https. */
export function securityHeaders(publicUrl: string) {
  const https = publicUrl.startsWith('https:')
  return async (ctx: Context, next: Next): Promise<void> => {
    ctx.set({
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    })
    if (https) ctx.set('Strict-Transport-Security', `max-age=${TWO_YEARS_S}; includeSubDomains`)
    await next()
  }
}

/** Of the API: an answer that is opened as a page can do nothing. */
export const API_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  Vary: 'Cookie, Authorization, Origin, Sec-Fetch-Site',
}
