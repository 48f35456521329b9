/** The texts of one namespace: nested objects of strings. */
export interface Texts {
  [key: string]: string | Texts
}

const PLURAL = /_(zero|one|two|few|many|other)$/

/** `texts` and the English text of every key that is missing. A missing plural form gets the form "other". */
export function withFallback(texts: Texts, english: Texts, language: string): Texts {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const keysOf = (key: string) =>
    PLURAL.test(key) ? pluralCategories.map((category) => key.replace(PLURAL, `_${category}`)) : [key]
  const merged: Texts = { ...texts }
  for (const [key, fallback] of Object.entries(english)) {
    const own = texts[key]
    if (typeof fallback !== 'string') {
      merged[key] = withFallback(typeof own === 'object' ? own : {}, fallback, language)
      continue
    }
    const other = key.replace(PLURAL, '_other')
    for (const each of keysOf(key)) merged[each] ??= texts[other] ?? english[each] ?? english[other] ?? fallback
  }
  return merged
}
