/** Translations of the texts in the HTML templates and in the web app manifest. */
import { join } from 'node:path'
import { readPackageFile } from '#core/lib/package-files'
import type { Translations } from '#shared/page/html-template'

/** The namespaces that the templates use. */
const NAMESPACES = ['auth', 'common', 'compose', 'lite', 'open-host', 'public', 'reveal', 'stats']

/** `folder`: the built app. Returns a function that finds the translations of a namespace; {} when there are none. */
export async function loadTranslations(folder: string, language: string): Promise<(namespace: string) => Translations> {
  const load = async (namespace: string): Promise<[string, Translations]> => {
    const text = await readPackageFile(join(folder, 'locales', language, `${namespace}.json`))
    return [namespace, JSON.parse(`${text}`)]
  }
  const translations = new Map(await Promise.all(NAMESPACES.map(load)))
  return (namespace) => translations.get(namespace) ?? {}
}
