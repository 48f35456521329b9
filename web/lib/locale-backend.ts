import type { BackendModule, ResourceLanguage } from 'i18next'

/**
 * Reads `{base}/locales/{lng}/{ns}.json`. i18next retries up to 5 times, after 350 ms and then doubling, 10 files at a
 * time.
 */
export const localeBackend = (base: string): BackendModule => ({
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    fetchLocale(base, language, namespace).then(
      (texts) => done(null, texts),
      (error) => done(error, true),
    )
  },
})

export async function fetchLocale(base: string, language: string, namespace: string): Promise<ResourceLanguage> {
  const response = await fetch(`${base}/locales/${language}/${namespace}.json`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return (await response.json()) as ResourceLanguage
}
