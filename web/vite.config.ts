import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { CHUNK_GROUPS } from './vite-plugins/chunks.js'
import { OUT_DIR, WEB } from './vite-plugins/folders.js'
import { legalTexts } from './vite-plugins/legal-texts.js'
import { localeFiles } from './vite-plugins/locale-files.js'
import { precompress } from './vite-plugins/precompress.js'
import { preloadPages } from './vite-plugins/preload-pages.js'
import { routeList } from './vite-plugins/route-list.js'

const findManifest = (name: string): string => createRequire(import.meta.url).resolve(`${name}/package.json`)

export default defineConfig({
  root: WEB,
  // The build does not know the path under which it will be served.
  base: './',
  cacheDir: join(WEB, '../node_modules/.vite'),
  plugins: [react(), routeList(), localeFiles(), legalTexts(), preloadPages(), precompress()],
  resolve: {
    alias: [
      { find: 'use-sync-external-store/shim', replacement: 'react' },
      // The package names its development build only, which has the warnings for developers.
      { find: /^react-router$/, replacement: join(dirname(findManifest('react-router')), 'dist/production/index.mjs') },
    ],
  },
  worker: { format: 'es' },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: CHUNK_GROUPS },
        chunkFileNames: ({ name }) => `assets/${kebabCase(name)}-[hash:8].js`,
      },
    },
  },
})

function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}
