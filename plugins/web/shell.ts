/** The page before its scripts run: in the visitor's language, with a place to type on the first screen. */
import { direction } from './language.js'

/** What is on the page already: the composer, nothing yet, or nothing ever. */
export type ShellKind = 'home' | 'secret' | 'page'

export interface Blanks {
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
  return /^\/secret\//i.test(path) ? 'secret' : 'page'
}

/**
 * Fills index.html: `{{namespace:key}}` with words, `{{csp}}` and `{{lang}}`; between `<!-- only home -->` and
 * `<!-- end -->` stands what only that kind of page has.
 */
export function fillShell(template: string, kind: ShellKind, { language, policy, words }: Blanks): string {
  return template
    .replace(/<!-- only (\w+) -->([\s\S]*?)<!-- end -->/g, (_, only, inside) => (only === kind ? inside : ''))
    .replace(/<html[^>]*>/, `<html lang="${language}" dir="${direction(language)}">`)
    .replace(/\{\{(?:([\w-]+):)?([\w.-]+)\}\}/g, (_, namespace, key) => {
      if (namespace) return escapeHtml(lookUp(words(namespace), key))
      return escapeHtml(key === 'csp' ? policy : language)
    })
}

function lookUp(words: Words, key: string): string {
  const found = key
    .split('.')
    .reduce<string | Words>((at, part) => (typeof at === 'object' ? (at[part] ?? '') : ''), words)
  return typeof found === 'string' ? found : ''
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
