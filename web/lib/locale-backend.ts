import type { BackendModule, ResourceLanguage } from 'i18next'

/**
 * Reads `{base}/locales/{lng}/{ns}.json`. What fails is tried again by i18next: up to 5 times, after 350 ms and then doubling,
 * with at most 10 reads at once.
 */
export const localeFiles = (base: string): BackendModule => ({
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    words(`${base}/locales/${language}/${namespace}.json`).then(
      (found) => done(null, found),
      (error) => done(error, true),
    )
  },
})

async function words(address: string): Promise<ResourceLanguage> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return (await response.json()) as ResourceLanguage
}
