/** What a device needs to know to keep the app among its own. */
import type { Brand } from './brand.js'
import { direction } from './language.js'
import { lookUp, type Words } from './shell.js'

/** Icons of `public/`, made by `web/icons.ts`. */
const ICONS = [
  { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
  { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
  { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
  { src: '/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
]

/** The web app manifest in one language. There is no service worker: an old copy of the app must never open a secret. */
export function manifestOf(
  { site, themeColour }: Brand,
  language: string,
  words: (namespace: string) => Words,
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
      description: lookUp(words('common'), 'shell.description').replaceAll('{{product}}', site.product),
      lang: language,
      dir: direction(language),
      display: 'standalone',
      background_color: themeColour.light,
      theme_color: themeColour.light,
      icons,
    }),
  )
}
