/** Serves the web app without access to secrets: every page is the same for all visitors. */
import { definePlugin, flag, OperatorError, z } from '#core'
import { basePath } from '#shared/site'
import { findBuild, loadAssets } from './assets.js'
import { brandingOptions, loadBranding } from './branding.js'
import { createCrawlerFiles, securityContactOption } from './crawler-files.js'
import { createDevServer } from './dev-server.js'
import { createLegalTexts, loadCustomTexts } from './legal-texts.js'
import { keepAssets } from './previous-assets.js'
import { servePages } from './serve-pages.js'

export default definePlugin({
  contract: 1,
  name: 'web',
  options: z.object({
    forceLanguage: z
      .string()
      .default('')
      .describe('the only language of the app; empty: the preferred language of the browser'),
    dev: flag().default(false).describe('serve the app from its sources with Vite, for development'),
    ...brandingOptions,
    securityContact: securityContactOption,
    privacyFile: markdownFile('privacy policy'),
    termsFile: markdownFile('terms of use'),
  }),
  async setup(
    { forceLanguage, dev, privacyFile, termsFile, securityContact, ...options },
    { publicUrl, dataDir, role = 'all' },
  ) {
    const here = import.meta.dirname
    const branding = await loadBranding(options, { base: dev ? '' : basePath(publicUrl), role, dataDir })
    const customTexts = await loadCustomTexts({ privacy: privacyFile, terms: termsFile }, dataDir)
    if (dev) return createDevServer({ here, publicUrl, forceLanguage, branding, customTexts })
    const assets = await loadAssets(findBuild(here))
    if (forceLanguage !== '' && !assets.languages.includes(forceLanguage)) {
      const message = `unknown language "${forceLanguage}"; use one of ${assets.languages.join(', ')}`
      throw new OperatorError(message, { isSetting: true })
    }
    const findGenerated = createLegalTexts({ ...assets, product: options.productName, customTexts })
    const findCrawlerFile = createCrawlerFiles(publicUrl, securityContact)
    let keeping: Promise<void> | undefined
    return {
      pages: servePages({ assets, branding, publicUrl, dataDir, forceLanguage, findGenerated, findCrawlerFile }),
      ready({ isServer }, { log, clock }) {
        if (!isServer) return
        // In the background, because the first request does not need it.
        keeping = keepAssets(assets.folder, dataDir, clock.now()).catch((error) => {
          log.warn('files of the web app not copied, open pages may fail after the next upgrade', { error })
        })
      },
      close: () => keeping,
    }
  },
})

function markdownFile(text: string) {
  return z.string().default('').describe(`Markdown file that replaces the ${text}; a relative path is inside dataDir`)
}
