/** Chooses a language for an Accept-Language header. */
import { LRUCache } from 'lru-cache'
import { lookUp } from '../shared/look-up.js'

const RTL = new Set(['ar', 'fa', 'he', 'ur'])
/** Norwegian browsers send any of three codes; the translation is Bokmål. */
const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' }
const DEFAULT = 'en'
/** Considered characters of an Accept-Language header. The rest is ignored. */
const HEADER_MAX = 1024
/** Considered tags of an Accept-Language header. Browsers send fewer than 10. */
const TAGS_MAX = 20
/** Length of a tag that is stored. */
const TAG_MAX = 64
/** Capacity of the cache of tags. */
const CACHED_TAGS_MAX = 1000

/**
 * Returns a function that chooses the best of `available` for an Accept-Language header: the most preferred tag for
 * which there is the same region, otherwise the same script of the same language. Parsing a tag is slow, so the
 * available languages are parsed once, and results are cached per tag.
 */
export function createLanguageNegotiator(available: string[]): (header: string) => string {
  const candidates = available.map((language) => ({ language, locale: parseTag(language) }))
  const cache = new LRUCache<string, { language: string | null }>({ max: CACHED_TAGS_MAX })

  function match(tag: string): string | null {
    const wanted = parseTag(tag)
    if (!wanted) return null
    const findSame = (...parts: ('language' | 'script' | 'region')[]) =>
      candidates.find(({ locale }) => parts.every((part) => locale?.[part] === wanted[part]))
    return (findSame('language', 'script', 'region') ?? findSame('language', 'script'))?.language ?? null
  }

  return (header) => {
    for (const tag of parseAcceptLanguage(header)) {
      const result = cache.get(tag) ?? { language: match(tag) }
      cache.set(tag, result)
      if (result.language !== null) return result.language
    }
    return DEFAULT
  }
}

/**
 * The most preferred tag of an Accept-Language header in its canonical form, such as `pt-BR`. null if there is none, or
 * none of at most `TAG_MAX` characters.
 */
export function preferredLanguage(header: string): string | null {
  const tags = parseAcceptLanguage(header).filter((tag) => tag.length <= TAG_MAX && parseTag(tag) !== null)
  return tags[0] === undefined ? null : new Intl.Locale(tags[0]).toString().slice(0, TAG_MAX)
}

export const direction = (language: string): 'ltr' | 'rtl' => (RTL.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr')

/** The tags of an Accept-Language header, most preferred first, without tags of quality 0. */
function parseAcceptLanguage(header: string): string[] {
  return header
    .slice(0, HEADER_MAX)
    .split(',', TAGS_MAX)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1'
      return { tag, quality: Number.parseFloat(quality) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

/** Adds the likely script and region: zh-TW -> zh-Hant-TW. Null for `*` and for invalid tags. */
function parseTag(tag: string): Intl.Locale | null {
  try {
    const { language } = new Intl.Locale(tag)
    return new Intl.Locale(lookUp(ALIASES, language) ?? tag).maximize()
  } catch {
    return null
  }
}
