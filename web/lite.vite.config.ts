/** The lite version, built for itself: none of its files is shared with the app. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { precompressed, resolve } from './vite.config.js'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  cacheDir: join(root, '../node_modules/.vite'),
  base: './',
  plugins: [precompressed()],
  resolve,
  build: {
    outDir: join(root, '../dist/web'),
    emptyOutDir: false,
    copyPublicDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: join(root, 'lite.html') },
  },
})
