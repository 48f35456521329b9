/**
 * Fills the HTML templates: the page before its scripts run, in the visitor's language. `verify-web` compares with the
 * result.
 */
import { lookUp } from '../look-up.js'
import type { ProcessRole } from '../process-role.js'
import type { Site } from '../site.js'

/**
 * Which parts of a template a page has. `create` and `open` are pages of the lite version. `public`, `signin` and
 * `stats` are pages with a heading in the template, `page` is a page without. `closed` is the lite version without the
 * form for secrets.
 */
export type PageKind = 'home' | 'secret' | 'page' | 'create' | 'open' | 'closed' | HeadedKind
type HeadedKind = (typeof HEADED_KINDS)[number]

const HEADED_KINDS = ['public', 'signin', 'stats'] as const

/** Data that all pages of an instance share. */
export interface TemplateBranding {
  site: Site
  hasCustomHue: boolean
  themeColor: { light: string; dark: string }
}

export interface TemplateValues {
  branding: TemplateBranding
  language: string
  direction: 'ltr' | 'rtl'
  /** Content-Security-Policy of the meta element. */
  policy: string
  /** The translations of a namespace; {} when there are none. */
  translations(namespace: string): Translations
}

export interface Translations {
  [key: string]: string | Translations
}

export function pageKind(path: string): PageKind {
  if (path === '/') return 'home'
  if (/^\/lite\/?$/i.test(path)) return 'create'
  if (/^\/lite\/[^/]+\/?$/i.test(path)) return 'open'
  if (/^\/secret\//i.test(path)) return 'secret'
  const name = path.slice(1).replace(/\/$/, '').toLowerCase()
  return HEADED_KINDS.find((kind) => kind === name) ?? 'page'
}

export const templateName = (kind: PageKind): 'app' | 'lite' => (LITE_KINDS.includes(kind) ? 'lite' : 'app')

const LITE_KINDS: PageKind[] = ['create', 'open', 'closed']

/** With the role `open`, pages that create or list something show a common text. */
function kindFor(role: ProcessRole, kind: PageKind): PageKind {
  if (role === 'all' || kind === 'secret' || kind === 'open') return kind
  return kind === 'create' ? 'closed' : 'page'
}

/**
 * Fills index.html or lite.html. `{{namespace:key}}` is a translation, and any other `{{name}}` a value of the
 * branding. The text between `<!-- only home -->` and `<!-- end -->` stays only on pages of that kind; `other` are all
 * but `home` and `secret`. URLs get the base path.
 */
export function fillTemplate(template: string, kind: PageKind, values: TemplateValues): string {
  const { branding, language, direction, policy, translations } = values
  const { site, hasCustomHue, themeColor } = branding
  // `mark` is the logo of the app itself.
  const shown = kindFor(site.role, kind)
  const conditions = new Set<string>([shown, site.logo ? 'logo' : 'mark', ...(hasCustomHue ? ['hue'] : [])])
  if (shown !== 'home' && shown !== 'secret') conditions.add('other')
  const placeholders: Record<string, string> = {
    csp: policy,
    lang: language,
    product: site.product,
    logo: site.logo ?? '',
    light: themeColor.light,
    dark: themeColor.dark,
    notice: site.notice,
    site: JSON.stringify(site),
  }
  return template
    .replace(/<!-- only (\w+) -->([\s\S]*?)<!-- end -->/g, (_, only, inside) => (conditions.has(only) ? inside : ''))
    .replace(/<html[^>]*>/, `<html lang="${language}" dir="${direction}">`)
    .replace(/ (href|src)="\.?\/(?!\/)/g, ` $1="${escapeHtml(site.base)}/`)
    .replace(/\{\{(?:([\w-]+):)?([\w.-]+)\}\}/g, (_, namespace, key) => {
      if (!namespace) return escapeHtml(placeholders[key] ?? '')
      return escapeHtml(translate(translations(namespace), key).replaceAll('{{product}}', site.product))
    })
}

/**
 * The text of a key, with dots for nested keys; JSON of the texts below it, whose placeholders then have one brace,
 * because those with two belong to the template; empty when there is none.
 */
export function translate(translations: Translations, key: string): string {
  const found = key
    .split('.')
    .reduce<string | Translations>(
      (value, part) => (typeof value === 'object' ? (value[part] ?? '') : ''),
      translations,
    )
  return typeof found === 'string' ? found : JSON.stringify(found).replace(/\{\{(.+?)\}\}/g, '{$1}')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => lookUp(ESCAPES, character) ?? '')
