/** Chooses the language of the app. */

const RTL = new Set(['ar', 'fa', 'he', 'ur'])
/** Norwegian browsers send any of three codes; the translation is Bokmål. */
const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' }
const DEFAULT = 'en'

/**
 * The best of `available` for the preferred languages of a browser, in their order: the same region, otherwise the same
 * script of the same language.
 */
export function negotiateLanguage(preferred: string[], available: string[]): string {
  for (const tag of preferred) {
    const wanted = parseTag(tag)
    if (!wanted) continue
    const findSame = (...parts: ('language' | 'script' | 'region')[]) =>
      available.find((each) => parts.every((part) => parseTag(each)?.[part] === wanted[part]))
    const found = findSame('language', 'script', 'region') ?? findSame('language', 'script')
    if (found) return found
  }
  return DEFAULT
}

export const direction = (language: string): 'ltr' | 'rtl' => (RTL.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr')

/** Adds the likely script and region: zh-TW -> zh-Hant-TW. Null for `*` and for invalid tags. */
function parseTag(tag: string): Intl.Locale | null {
  try {
    const { language } = new Intl.Locale(tag)
    return new Intl.Locale(ALIASES[language] ?? tag).maximize()
  } catch {
    return null
  }
}
