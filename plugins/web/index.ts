/** Serves the web app. Nothing here knows of secrets: every page is the same for every visitor. */
import { definePlugin, z } from '#core'
import { serveSources } from './dev.js'
import { servePages } from './serve.js'
import { findBuild, readSite } from './site.js'

export default definePlugin({
  name: 'web',
  options: z.object({
    forceLanguage: z.string().default('').describe('the only language of the app; empty: what the browser prefers'),
    dev: z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
      .default(false)
      .describe('serve the sources through Vite, for working on the app'),
  }),
  async setup({ forceLanguage, dev }, { publicUrl }) {
    const here = import.meta.dirname
    if (dev) return serveSources(here, publicUrl, forceLanguage)
    const site = await readSite(findBuild(here))
    if (forceLanguage !== '' && !site.languages.includes(forceLanguage)) {
      throw new Error(`there is no language "${forceLanguage}"; there are ${site.languages.join(', ')}`)
    }
    return { pages: servePages(site, publicUrl, forceLanguage) }
  },
})
