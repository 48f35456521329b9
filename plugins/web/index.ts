/** Serves the web app. Nothing here knows of secrets: every page is the same for every visitor. */
import { definePlugin, z } from '#core'
import { basePath } from '#shared/site'
import { brandOptions, readBrand } from './brand.js'
import { serveSources } from './dev.js'
import { legalTexts, readOwnTexts } from './legal.js'
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
    ...brandOptions,
    privacyFile: text('privacy'),
    termsFile: text('terms'),
  }),
  async setup({ forceLanguage, dev, privacyFile, termsFile, ...options }, { publicUrl, dataDir }) {
    const here = import.meta.dirname
    const brand = await readBrand(options, dev ? '' : basePath(publicUrl), dataDir)
    const own = await readOwnTexts({ privacy: privacyFile, terms: termsFile }, dataDir)
    if (dev) return serveSources({ here, publicUrl, forced: forceLanguage, brand, own })
    const site = await readSite(findBuild(here))
    if (forceLanguage !== '' && !site.languages.includes(forceLanguage)) {
      throw new Error(`there is no language "${forceLanguage}"; there are ${site.languages.join(', ')}`)
    }
    const made = legalTexts({ ...site, product: options.productName, own })
    return { pages: servePages({ site, brand, publicUrl, forced: forceLanguage, made }) }
  },
})

function text(what: string) {
  return z
    .string()
    .default('')
    .describe(`Markdown file in the place of the text about ${what}; a relative path is inside dataDir`)
}
