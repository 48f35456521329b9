import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'
import { type Texts, withFallback } from './locale-fallback.js'

const FOLDER = join(WEB, 'locales')
const FALLBACK = 'en'

/** Serves and emits `/locales/{lng}/{ns}.json`, without whitespace, with the English texts of missing keys. */
export function localeFiles(): Plugin {
  return {
    name: 'locale-files',
    configureServer({ middlewares }) {
      middlewares.use('/locales', (request, response, next) => {
        const name = localeFileNames().find((each) => request.url === `/${each}`)
        return name ? response.setHeader('content-type', 'application/json').end(localeFile(name)) : next()
      })
    },
    generateBundle() {
      for (const name of localeFileNames()) {
        this.emitFile({ type: 'asset', fileName: `locales/${name}`, source: localeFile(name) })
      }
    },
  }
}

/** `{lng}/{ns}.json` for every language and every namespace of English. */
function localeFileNames(): string[] {
  const namespaces = readdirSync(join(FOLDER, FALLBACK))
  return readdirSync(FOLDER).flatMap((language) => namespaces.map((namespace) => `${language}/${namespace}`))
}

function localeFile(name: string): string {
  const [language = FALLBACK, namespace = ''] = name.split('/')
  const english = readTexts(join(FOLDER, FALLBACK, namespace))
  return JSON.stringify(withFallback(readTexts(join(FOLDER, name)), english, language))
}

const readTexts = (file: string): Texts => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
