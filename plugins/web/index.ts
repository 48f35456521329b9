/** Serves the web app. It has no access to secrets: every page is the same for all visitors. */
import { definePlugin, flag, z } from '#core'
import { basePath } from '#shared/site'
import { findBuild, loadAssets } from './assets.js'
import { brandingOptions, loadBranding } from './branding.js'
import { createDevServer } from './dev-server.js'
import { createLegalTexts, loadCustomTexts } from './legal-texts.js'
import { servePages } from './serve-pages.js'

export default definePlugin({
  contract: 2,
  name: 'web',
  options: z.object({
    forceLanguage: z
      .string()
      .default('')
      .describe('the only language of the app; empty: the preferred language of the browser'),
    dev: flag().default(false).describe('serve the app from its sources with Vite, for development'),
    ...brandingOptions,
    privacyFile: markdownFile('privacy policy'),
    termsFile: markdownFile('terms of use'),
  }),
  async setup({ forceLanguage, dev, privacyFile, termsFile, ...options }, { publicUrl, dataDir }) {
    const here = import.meta.dirname
    const branding = await loadBranding(options, dev ? '' : basePath(publicUrl), dataDir)
    const customTexts = await loadCustomTexts({ privacy: privacyFile, terms: termsFile }, dataDir)
    if (dev) return createDevServer({ here, publicUrl, forceLanguage, branding, customTexts })
    const assets = await loadAssets(findBuild(here))
    if (forceLanguage !== '' && !assets.languages.includes(forceLanguage)) {
      throw new Error(`there is no language "${forceLanguage}"; there are ${assets.languages.join(', ')}`)
    }
    const findGenerated = createLegalTexts({ ...assets, product: options.productName, customTexts })
    return { pages: servePages({ assets, branding, publicUrl, forceLanguage, findGenerated }) }
  },
})

function markdownFile(text: string) {
  return z.string().default('').describe(`Markdown file that replaces the ${text}; a relative path is inside dataDir`)
}
