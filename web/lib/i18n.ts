/** Words. The server chose the language from what the browser prefers and wrote it on the page. */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { localeFiles } from './locale-backend.js'
import { site } from './site.js'

export const language = document.documentElement.lang || 'en'

/** Rejects when the words that every screen needs could not be had. */
export async function startWords(): Promise<void> {
  await i18next
    .use(localeFiles(site.base))
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      // Not `pt` for `pt-BR`: there is no such folder, and the page would wait for every try to read it.
      load: 'currentOnly',
      ns: 'common',
      // Screens ask for their words while the common ones are on their way.
      initAsync: false,
      defaultNS: 'common',
      // React escapes.
      interpolation: { escapeValue: false, defaultVariables: { product: site.product } },
      react: { useSuspense: false },
    })
  mustHave('common')
}

/** Rejects when they could not be had: a screen never shows without its words. */
export async function loadWords(namespace: string): Promise<void> {
  await i18next.loadNamespaces(namespace)
  mustHave(namespace)
}

function mustHave(namespace: string): void {
  if (!i18next.hasResourceBundle(language, namespace)) throw new Error(`no words: ${language}/${namespace}`)
}
