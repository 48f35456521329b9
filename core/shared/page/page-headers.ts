/** Security headers of pages and files. */

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

/** Vite's development server uses inline scripts and styles, and a WebSocket. */
const CSP_DEV = ["default-src 'self' 'unsafe-inline' data: blob: ws:", "frame-ancestors 'none'", "base-uri 'none'"]

const PERMISSIONS = [
  'accelerometer=()',
  'browsing-topics=()',
  'camera=()',
  'clipboard-read=()',
  'clipboard-write=(self)',
  'display-capture=()',
  'geolocation=()',
  'gyroscope=()',
  'microphone=()',
  'payment=()',
  'usb=()',
].join(', ')

/** The Content-Security-Policy of every page. */
export function pagePolicy(publicUrl: string, isDev: boolean): string {
  const directives = isDev ? CSP_DEV : CSP
  return [...directives, ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : [])].join('; ')
}

/** The policy for a meta element, in case a proxy strips the header. Browsers ignore `frame-ancestors` there. */
export const toMetaPolicy = (policy: string): string => policy.replace("frame-ancestors 'none'; ", '')

/** Browsers run only scripts whose hash is known: an attribute of the element that loads them. */
const INTEGRITY_POLICY = 'blocked-destinations=(script)'

/**
 * Headers of every page. Core sets the headers that all responses share. The lite version runs only its own scripts, so
 * its integrity policy can be enforced. See decision 086.
 */
export function pageHeaders(policy: string, template: 'app' | 'lite'): Record<string, string> {
  return {
    ...(template === 'lite' && { 'Integrity-Policy': INTEGRITY_POLICY }),
    'Content-Security-Policy': policy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': PERMISSIONS,
    'Cache-Control': 'no-store',
    Vary: 'Accept-Encoding, Accept-Language',
  }
}

/** Headers of every file. A worker has the policy of its script: it may connect to, and import from, its own server. */
export const FILE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
  'Cross-Origin-Embedder-Policy': 'require-corp',
  Vary: 'Accept-Encoding',
}
