import type { Plugin } from 'vite'
import { paths } from '../lib/paths.js'

/** Emits `site.json`, the routes for which the server returns the app. */
export function routeList(): Plugin {
  return {
    name: 'route-list',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'site.json', source: JSON.stringify({ routes: Object.values(paths) }) })
    },
  }
}
