import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { CHUNK_GROUPS } from './vite-plugins/chunks.js'
import { OUT_DIR, WEB } from './vite-plugins/folders.js'
import { legalTexts } from './vite-plugins/legal-texts.js'
import { localeFiles } from './vite-plugins/locale-files.js'
import { precompress } from './vite-plugins/precompress.js'
import { preloadPages } from './vite-plugins/preload-pages.js'
import { routeList } from './vite-plugins/route-list.js'
import { slimI18next } from './vite-plugins/slim-i18next.js'
import { slimReactRouter } from './vite-plugins/slim-react-router.js'
import { stubPublicKeys } from './vite-plugins/stub-public-keys.js'

export default defineConfig({
  root: WEB,
  // The build does not know the path under which it will be served.
  base: './',
  cacheDir: join(WEB, '../node_modules/.vite'),
  plugins: [
    react(),
    slimReactRouter(),
    slimI18next(),
    routeList(),
    localeFiles(),
    legalTexts(),
    preloadPages(),
    stubPublicKeys(),
    precompress(),
  ],
  resolve: { alias: [{ find: 'use-sync-external-store/shim', replacement: 'react' }] },
  worker: { format: 'es', plugins: () => [stubPublicKeys()] },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: CHUNK_GROUPS },
        chunkFileNames: ({ name }) => `assets/${kebabCase(name)}-[hash:6].js`,
      },
    },
  },
})

function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}
