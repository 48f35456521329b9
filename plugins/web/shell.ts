/** The page before its scripts run: in the visitor's language, with a place to type on the first screen. */
import type { Site } from '#shared/site'
import { direction } from './language.js'

/** What is on the page already: the composer, nothing yet, or nothing ever; or all there is, in the lite version. */
export type ShellKind = 'home' | 'secret' | 'page' | 'create' | 'open'

/** What every page of an instance has in common. */
export interface ShellBrand {
  site: Site
  hasOwnColours: boolean
  themeColour: { light: string; dark: string }
}

export interface Blanks {
  brand: ShellBrand
  language: string
  /** Content-Security-Policy for the page's own meta element. */
  policy: string
  /** The words of a namespace; {} when it has none. */
  words(namespace: string): Words
}

export interface Words {
  [key: string]: string | Words
}

export function shellKind(path: string): ShellKind {
  if (path === '/') return 'home'
  if (/^\/lite\/?$/i.test(path)) return 'create'
  if (/^\/lite\/[^/]+\/?$/i.test(path)) return 'open'
  return /^\/secret\//i.test(path) ? 'secret' : 'page'
}

export const templateOf = (kind: ShellKind): 'app' | 'lite' => (kind === 'create' || kind === 'open' ? 'lite' : 'app')

/**
 * Fills index.html or lite.html: `{{namespace:key}}` with words, other `{{blanks}}` with what the operator decided; between
 * `<!-- only home -->` and `<!-- end -->` stands what only that kind of page has. Addresses get the base of the instance.
 */
export function fillShell(template: string, kind: ShellKind, { brand, language, policy, words }: Blanks): string {
  const { site, hasOwnColours, themeColour } = brand
  const shown = new Set<string>([kind, site.logo ? 'logo' : 'mark', ...(hasOwnColours ? ['colours'] : [])])
  const blanks: Record<string, string> = {
    csp: policy,
    lang: language,
    product: site.product,
    logo: site.logo ?? '',
    light: themeColour.light,
    dark: themeColour.dark,
    notice: site.notice,
    site: JSON.stringify(site),
  }
  return template
    .replace(/<!-- only (\w+) -->([\s\S]*?)<!-- end -->/g, (_, only, inside) => (shown.has(only) ? inside : ''))
    .replace(/<html[^>]*>/, `<html lang="${language}" dir="${direction(language)}">`)
    .replace(/ (href|src)="\.?\/(?!\/)/g, ` $1="${escapeHtml(site.base)}/`)
    .replace(/\{\{(?:([\w-]+):)?([\w.-]+)\}\}/g, (_, namespace, key) => {
      if (!namespace) return escapeHtml(blanks[key] ?? '')
      return escapeHtml(lookUp(words(namespace), key).replaceAll('{{product}}', site.product))
    })
}

/** The words behind a dotted key; empty when there are none. */
export function lookUp(words: Words, key: string): string {
  const found = key
    .split('.')
    .reduce<string | Words>((at, part) => (typeof at === 'object' ? (at[part] ?? '') : ''), words)
  return typeof found === 'string' ? found : ''
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
