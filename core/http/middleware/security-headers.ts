/** Security headers of all responses. The web plugin adds the headers of a page. */
import type { AppMiddleware } from '../lib/state.js'

const TWO_YEARS_S = 63_072_000

/** Sets HSTS only if `publicUrl` is https. */
export function securityHeaders(publicUrl: string): AppMiddleware {
  const hsts: [string, string] = ['Strict-Transport-Security', `max-age=${TWO_YEARS_S}; includeSubDomains`]
  const headers: [string, string][] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Cache-Control', 'no-store'],
    ...(publicUrl.startsWith('https:') ? [hsts] : []),
  ]
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value)
    return next()
  }
}

/** Of API responses. The policy makes a response harmless when it is opened as a page. */
export const API_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  Vary: 'Cookie, Authorization, Origin, Sec-Fetch-Site',
}
