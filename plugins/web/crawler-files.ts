/** Files for programs that know them by name: search engines, and researchers who look for a contact. */
import { z } from '#core'
import { basePath } from '#shared/site'
import { type Asset, createAsset } from './assets.js'

const DAY_MS = 24 * 3600 * 1000
/** RFC 9116 recommends less than a year. The file is generated, so it is renewed as long as the server runs. */
const EXPIRES_DAYS = 90

export const securityContactOption = z
  .string()
  .refine((uri) => uri === '' || isContact(uri), 'must start with https:// or mailto:')
  .default('')
  .describe(
    'where to report a vulnerability of the instance, such as mailto:security@example.org; empty: no security.txt',
  )

/** Returns a function that finds `/robots.txt` and `/.well-known/security.txt`, or undefined for other paths. */
export function createCrawlerFiles(
  publicUrl: string,
  contact: string,
): (path: string, now: number) => Asset | undefined {
  const robots = createTextFile(createRobots(basePath(publicUrl)))
  return (path, now) => {
    if (path === '/robots.txt') return robots
    if (path !== '/.well-known/security.txt' || contact === '') return undefined
    return createTextFile(createSecurityText(publicUrl, contact, now))
  }
}

/**
 * Pages other than the home page send `X-Robots-Tag: noindex`, which a crawler sees only when it may fetch them: a
 * page that is disallowed here can be listed by its address. The home page loads its settings.
 */
const createRobots = (base: string): string => `User-agent: *\nAllow: ${base}/api/v1/settings\nDisallow: ${base}/api/\n`

/** RFC 9116. Expires at the start of a day, so that the file changes once a day. */
function createSecurityText(publicUrl: string, contact: string, now: number): string {
  const expires = new Date((Math.floor(now / DAY_MS) + EXPIRES_DAYS) * DAY_MS)
  const canonical = `${publicUrl}/.well-known/security.txt`
  return `Contact: ${contact}\nExpires: ${expires.toISOString().replace('.000', '')}\nCanonical: ${canonical}\n`
}

const createTextFile = (text: string): Asset => createAsset('text/plain; charset=utf-8', Buffer.from(text))

const isContact = (uri: string): boolean => URL.canParse(uri) && /^(https:\/\/|mailto:)[\x21-\x7e]+$/.test(uri)
