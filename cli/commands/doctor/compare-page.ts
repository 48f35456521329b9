/** Compares a page of a server with the page that this version makes from the same branding. */

import type { HttpResponse } from '#shared/client/send-request'
import { lookUp } from '#shared/look-up'
import { fillTemplate, pageKind, templateName } from '#shared/page/html-template'
import { createThemeColor, DEFAULT_HUE } from '#shared/page/hue-colors'
import { pageHeaders, pagePolicy, toMetaPolicy } from '#shared/page/page-headers'
import { isSafeUrl } from '#shared/page/safe-url'
import { PROCESS_ROLES } from '#shared/process-role'
import type { Site } from '#shared/site'
import { toSingleLine } from '../../output/sanitize.js'
import type { ReleasedWebApp } from './released-web-app.js'

export interface ReceivedPage {
  /** From the base path, such as `/secret/x`. */
  path: string
  status: number
  headers: HttpResponse['headers']
  body: Uint8Array
}

/** Core sets these on every response. */
const COMMON_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
/** Proxies may change these. They do not protect against scripts. */
const UNCHECKED_HEADERS = new Set(['Cache-Control', 'Vary'])
/** Characters of the received page that an error message shows. */
const EXCERPT_LENGTH = 100

/**
 * Returns the differences, and the hue of the instance. `base`: URL of the instance with a trailing slash. The page
 * itself says its language and branding. They can only fill the placeholders of the released template, escaped, so that
 * a page with any other element, attribute or script differs.
 */
export function comparePage(page: ReceivedPage, base: string, released: ReleasedWebApp) {
  const { path, status, headers, body } = page
  const problems = status === 200 ? [] : [`${path} has status ${status}`]
  const policy = choosePolicy(base, headers)
  problems.push(
    ...compareHeaders(path, headers, { ...COMMON_HEADERS, ...pageHeaders(policy, templateName(pageKind(path))) }),
  )
  if (headers.get('refresh') !== null) problems.push(`${path} redirects to another page`)
  const html = Buffer.from(body).toString()
  const hue = Number(/oklch\(0\.21 0\.014 (\d{1,3})\)/.exec(html)?.[1] ?? DEFAULT_HUE)
  const expected = renderPage(path, html, { base, hue, policy, released })
  if (typeof expected === 'object') problems.push(`${path} ${expected.problem}`)
  else if (!Buffer.from(expected).equals(body)) problems.push(`${path} ${describeDifference(expected, html)}`)
  return { problems, hue }
}

/** Returns a message for each header that is missing, repeated or different. */
export function compareHeaders(
  name: string,
  headers: HttpResponse['headers'],
  expected: Record<string, string>,
): string[] {
  return Object.entries(expected)
    .filter(([header, value]) => !UNCHECKED_HEADERS.has(header) && headers.get(header) !== value)
    .map(([header]) => `${name}: ${header} differs`)
}

/** A server with an https address may be reached over http on its own machine. */
function choosePolicy(base: string, headers: HttpResponse['headers']): string {
  const isUpgraded = headers.get('Content-Security-Policy')?.endsWith('; upgrade-insecure-requests')
  return pagePolicy(isUpgraded ? 'https:' : base, false)
}

interface RenderOptions {
  base: string
  hue: number
  policy: string
  released: ReleasedWebApp
}

/** Fills the released template with the language and branding of the received page. */
function renderPage(path: string, html: string, { base, hue, policy, released }: RenderOptions) {
  const [, language = '', direction] = /^<!doctype html>\n<html lang="([\w-]+)" dir="(ltr|rtl)">/.exec(html) ?? []
  if (!released.languages.has(language)) return { problem: 'does not begin like a page of this version' }
  const site = parseSite(/<meta name="site" content="([^"]*)"/.exec(html)?.[1] ?? '')
  if (!site || !isGenuineSite(site, new URL(base).pathname.replace(/\/$/, ''))) {
    return { problem: 'contains invalid branding' }
  }
  const kind = pageKind(path)
  return fillTemplate(released.templates[templateName(kind)], kind, {
    branding: { site, hasCustomHue: hue !== DEFAULT_HUE, themeColor: createThemeColor(hue) },
    language,
    direction: direction === 'rtl' ? 'rtl' : 'ltr',
    policy: toMetaPolicy(policy),
    translations: (namespace) => released.readTranslations(language, namespace),
  })
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

function parseSite(attribute: string): Site | null {
  try {
    return JSON.parse(attribute.replace(/&(amp|lt|gt|quot);/g, (entity) => lookUp(ENTITIES, entity) ?? ''))
  } catch {
    return null
  }
}

/** True when the server accepts every value as branding. The page uses some of them as URLs. */
function isGenuineSite(site: Site, base: string): boolean {
  const isText = (value: unknown) => typeof value === 'string'
  return (
    site.base === base &&
    PROCESS_ROLES.includes(site.role) &&
    isText(site.product) &&
    isText(site.notice) &&
    (site.logo === null || [`${base}/logo.svg`, `${base}/logo.png`].includes(site.logo)) &&
    (site.source === '' || (isText(site.source) && isSafeUrl(site.source))) &&
    Array.isArray(site.links) &&
    site.links.every((link) => isText(link?.label) && isText(link?.href) && isSafeUrl(link.href))
  )
}

function describeDifference(expected: string, html: string): string {
  const lines = expected.split('\n')
  const found = html.split('\n')
  const at = found.findIndex((line, index) => line !== lines[index])
  if (at < 0) return 'ends too early'
  return `differs in line ${at + 1}: ${toSingleLine(found[at] ?? '')
    .trim()
    .slice(0, EXCERPT_LENGTH)}`
}
