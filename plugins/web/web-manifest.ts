import { direction } from '#core'
import { type Translations, translate } from '#shared/page/html-template'
import type { Branding } from './branding.js'

/** Path to which the browser sends shared content. web/public/share-worker.js receives it. */
export const SHARE_PATH = '/share'

/** Icons in `web/public/`, made by `scripts/draw-icons.mjs`. */
const ICONS = [
  { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
  { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
  { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
  { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
]

/**
 * Creates the web app manifest in one language. The service worker of the installed app receives only shared content,
 * so that an outdated copy of the app never opens a secret.
 */
export function createWebManifest(
  { site, themeColor }: Branding,
  language: string,
  translations: (namespace: string) => Translations,
): Buffer {
  const icons = site.logo
    ? [{ src: site.logo, type: site.logo.endsWith('.svg') ? 'image/svg+xml' : 'image/png', sizes: 'any' }]
    : ICONS.map((icon) => ({ ...icon, src: site.base + icon.src }))
  return Buffer.from(
    JSON.stringify({
      id: `${site.base}/`,
      start_url: `${site.base}/`,
      scope: `${site.base}/`,
      name: site.product,
      short_name: site.product,
      description: translate(translations('common'), 'shell.description').replaceAll('{{product}}', site.product),
      lang: language,
      dir: direction(language),
      display: 'standalone',
      background_color: themeColor.light,
      theme_color: themeColor.light,
      icons,
      shortcuts: [
        { name: translate(translations('compose'), 'heading'), url: `${site.base}/` },
        { name: translate(translations('compose'), 'request'), url: `${site.base}/request` },
      ],
      share_target: {
        action: site.base + SHARE_PATH,
        method: 'POST',
        enctype: 'multipart/form-data',
        params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
      },
    }),
  )
}
