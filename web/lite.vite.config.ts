/** Builds the lite page by itself: it shares no file with the app. */
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { OUT_DIR, WEB } from './vite-plugins/folders.js'
import { precompress } from './vite-plugins/precompress.js'
import { stubPublicKeys } from './vite-plugins/stub-public-keys.js'

export default defineConfig({
  root: WEB,
  cacheDir: join(WEB, '../node_modules/.vite'),
  base: './',
  plugins: [stubPublicKeys(), precompress()],
  build: {
    outDir: OUT_DIR,
    emptyOutDir: false,
    copyPublicDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: join(WEB, 'lite.html') },
  },
})
