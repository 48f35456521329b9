import { join } from 'node:path'
import { type Plugin, runnerImport } from 'vite'
import { paths } from '../lib/paths.js'
import { WEB } from './folders.js'

/** The exports of page-routes.ts that hold paths. */
type PageRoutes = Record<'SITE_PAGES' | 'ACCOUNT_PAGES', [path: string, ...rest: unknown[]][]>

/** Emits `site.json`, the routes for which the server returns the app. */
export function routeList(): Plugin {
  return {
    name: 'route-list',
    apply: 'build',
    async generateBundle() {
      // Imported by Vite, because the bundle of its configuration would include the pages.
      const { module } = await runnerImport<PageRoutes>(join(WEB, 'app/page-routes.ts'))
      const pages = [...module.SITE_PAGES, ...module.ACCOUNT_PAGES].map(([path]) => path)
      const routes = [...new Set([...Object.values(paths), ...pages])]
      this.emitFile({ type: 'asset', fileName: 'site.json', source: JSON.stringify({ routes }) })
    },
  }
}
