/** Which of the app's languages a visitor reads. */

const RTL = new Set(['ar', 'fa', 'he', 'ur'])
/** Norwegians ask for any of three; what is written is Bokmål. */
const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' }
const DEFAULT = 'en'

/** The best of `available` for what a browser prefers, in its order: the same region, else the same script of the same language. */
export function negotiate(preferred: string[], available: string[]): string {
  for (const tag of preferred) {
    const wanted = parse(tag)
    if (!wanted) continue
    const same = (...parts: ('language' | 'script' | 'region')[]) =>
      available.find((each) => parts.every((part) => parse(each)?.[part] === wanted[part]))
    const found = same('language', 'script', 'region') ?? same('language', 'script')
    if (found) return found
  }
  return DEFAULT
}

export const direction = (language: string): 'ltr' | 'rtl' => (RTL.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr')

/** With the script and region that go without saying, such as zh-TW -> zh-Hant-TW. Null for `*` and for nonsense. */
function parse(tag: string): Intl.Locale | null {
  try {
    const { language } = new Intl.Locale(tag)
    return new Intl.Locale(ALIASES[language] ?? tag).maximize()
  } catch {
    return null
  }
}
