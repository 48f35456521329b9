import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'
import { type Texts, withFallback } from './locale-fallback.js'

const FOLDER = join(WEB, 'locales')
const FALLBACK = 'en'

/**
 * Serves and emits `/locales/{lng}/{ns}.json` for each namespace of `locales/{lng}.json`, without whitespace, with the
 * English texts of missing keys.
 */
export function localeFiles(): Plugin {
  return {
    name: 'locale-files',
    configureServer({ middlewares }) {
      middlewares.use('/locales', ({ url }, response, next) => {
        for (const language of languages()) {
          if (!url?.startsWith(`/${language}/`)) continue
          const source = splitTexts(language).get(url.slice(1))
          if (source !== undefined) return response.setHeader('content-type', 'application/json').end(source)
        }
        return next()
      })
    },
    generateBundle() {
      for (const [name, source] of languages().flatMap((language) => [...splitTexts(language)])) {
        this.emitFile({ type: 'asset', fileName: `locales/${name}`, source })
      }
    },
  }
}

const languages = (): string[] => readdirSync(FOLDER).map((name) => name.replace('.json', ''))

/** `{lng}/{ns}.json` and its content, for each namespace of English. */
function splitTexts(language: string): Map<string, string> {
  const texts = withFallback(readTexts(language), readTexts(FALLBACK), language)
  return new Map(
    Object.entries(texts).map(([namespace, each]) => [`${language}/${namespace}.json`, JSON.stringify(each)]),
  )
}

const readTexts = (language: string): Texts => JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8'))
