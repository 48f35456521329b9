import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'

const FOLDER = join(WEB, 'locales')

/** Serves and emits `/locales/{lng}/{ns}.json`, without whitespace. */
export function localeFiles(): Plugin {
  return {
    name: 'locale-files',
    configureServer({ middlewares }) {
      middlewares.use('/locales', (request, response, next) => {
        const name = localeFileNames().find((each) => request.url === `/${each}`)
        return name ? response.setHeader('content-type', 'application/json').end(readLocaleFile(name)) : next()
      })
    },
    generateBundle() {
      for (const name of localeFileNames()) {
        this.emitFile({ type: 'asset', fileName: `locales/${name}`, source: readLocaleFile(name) })
      }
    },
  }
}

const localeFileNames = (): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))

const readLocaleFile = (name: string): string => JSON.stringify(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
