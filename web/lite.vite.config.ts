/** Builds the lite page by itself: it shares no file with the app. */
import { join } from 'node:path'
import { defineConfig } from 'vite'
import { OUT_DIR, WEB } from './vite-plugins/folders.js'
import { precompress } from './vite-plugins/precompress.js'

export default defineConfig({
  root: WEB,
  cacheDir: join(WEB, '../node_modules/.vite'),
  base: './',
  plugins: [precompress()],
  // One script: the cipher in JavaScript is part of it.
  resolve: { alias: { '#cipher': join(WEB, '../core/shared/crypto/portable-cipher.ts') } },
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
