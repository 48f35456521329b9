/** What a page may do, and what others may do with it. */

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'none'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "media-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types app-worker',
]

/** Vite's development server puts its scripts and styles into the page and talks over a socket. */
const CSP_DEV = ["default-src 'self' 'unsafe-inline' data: blob: ws:", "frame-ancestors 'none'", "base-uri 'none'"]

const PERMISSIONS = [
  ...['accelerometer', 'browsing-topics', 'camera', 'clipboard-read'].map((feature) => `${feature}=()`),
  'clipboard-write=(self)',
  ...['display-capture', 'geolocation', 'gyroscope', 'microphone', 'payment', 'usb'].map((feature) => `${feature}=()`),
].join(', ')

/** The Content-Security-Policy of every page. */
export function pagePolicy(publicUrl: string, dev: boolean): string {
  const directives = dev ? CSP_DEV : CSP
  return [...directives, ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : [])].join('; ')
}

/** The same as a page can carry it itself, in case a proxy strips the header: there, one directive has no meaning. */
export const metaPolicy = (policy: string): string => policy.replace("frame-ancestors 'none'; ", '')

/** Headers of every page. What all answers share is set by core. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': PERMISSIONS,
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding, Accept-Language',
  }
}

/** Headers of every file. A worker has the policy of its own file: it may compute, and call the server that it came from. */
export const FILE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  'Cross-Origin-Embedder-Policy': 'require-corp',
  Vary: 'Accept-Encoding',
}
