/** The web app of the installed version, which `verify-web` compares a server with. */
import { join } from 'node:path'
import { packageFileExists, readPackageFileSync } from '#core/lib/package-files'
import type { Translations } from '#shared/page/html-template'
import { CliError } from '../../lib/cli-error.js'

export interface ReleasedWebApp {
  templates: { app: string; lite: string }
  languages: Set<string>
  /** Paths of all pages, with parameters as `:name`. */
  routes: string[]
  /** Hex SHA-256 by file name. */
  checksums: Map<string, string>
  /** `language`: one of `languages`. Returns {} for an unknown namespace. */
  readTranslations(language: string, namespace: string): Translations
}

/** Throws CliError `usage` when the web app is not built. */
export function readReleasedWebApp(): ReleasedWebApp {
  const here = import.meta.dirname
  const folder = ['web', '../../../dist/web'].map((place) => join(here, place)).find(hasChecksums)
  if (folder === undefined) throw new CliError('usage', 'this build has no web app')
  const read = (name: string) => `${readPackageFileSync(join(folder, name))}`
  const lines = read('manifest.sha256').trimEnd().split('\n')
  const names = lines.map((each) => each.slice(66))
  return {
    templates: { app: read('index.html'), lite: read('lite.html') },
    routes: JSON.parse(read('site.json')).routes,
    languages: new Set(names.flatMap((name) => /^locales\/([^/]+)\//.exec(name)?.[1] ?? [])),
    checksums: new Map(lines.map((each) => [each.slice(66), each.slice(0, 64)])),
    readTranslations(language, namespace) {
      const name = `locales/${language}/${namespace}.json`
      return packageFileExists(join(folder, name)) ? JSON.parse(read(name)) : {}
    },
  }
}

const hasChecksums = (folder: string) => packageFileExists(join(folder, 'manifest.sha256'))
