import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { fetchLocale, localeBackend } from './locale-backend.js'
import { site } from './site.js'

/** The server chose it by the preferences of the browser. */
export const language = document.documentElement.lang || 'en'

/** The build adds the English text of every missing key, so English is requested only when a file cannot be loaded. */
const FALLBACK = 'en'

/** Rejects when the texts that every page needs cannot be loaded, not even in English. */
export async function initI18n(): Promise<void> {
  await i18next
    .use(localeBackend(site.base))
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      // Not `pt` for `pt-BR`: there is no such folder, and every retry would delay the page.
      load: 'currentOnly',
      ns: 'common',
      // Pages request their own texts while the common ones are loading.
      initAsync: false,
      defaultNS: 'common',
      // React escapes.
      interpolation: { escapeValue: false, defaultVariables: { product: site.product } },
      react: { useSuspense: false },
    })
  await ensureLoaded('common')
}

/** Rejects when the texts cannot be loaded, not even in English: no page is shown without its texts. */
export async function loadNamespace(namespace: string): Promise<void> {
  await i18next.loadNamespaces(namespace)
  await ensureLoaded(namespace)
}

async function ensureLoaded(namespace: string): Promise<void> {
  if (i18next.hasResourceBundle(language, namespace)) return
  if (language === FALLBACK) throw new Error(`no texts: ${language}/${namespace}`)
  i18next.addResourceBundle(language, namespace, await fetchLocale(site.base, FALLBACK, namespace))
}
