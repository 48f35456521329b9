import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { paths } from './paths.js'

const root = fileURLToPath(new URL('.', import.meta.url))
const outDir = join(root, '../dist/web')
const noCurves = join(root, 'sealing/no-curves.ts')

// Links carry symmetric keys only. age-encryption cannot shed its public-key half by itself: 25 kB of 38.
export const resolve = { alias: [{ find: /^@noble\/(curves|post-quantum)\/.*/, replacement: noCurves }] }

/**
 * What every screen needs is one file: smaller than its pieces, and fetched at once. What several other screens share is few
 * files, because the first one has a list of them all.
 */
const GROUPS = [
  { name: 'app', test: isEverywhere },
  {
    name: 'parts',
    test: /web\/(parts\/(BurnButton|ConfirmDialog|CopyButton|LeaveGuard)\.|save\.)/,
  },
  { name: 'lists', test: /web\/(parts\/(NothingHere|PageLinks|Table|Time)\.|one-page\.)/ },
  {
    name: 'forms',
    test: /web\/screens\/people\/(calls|session-ended|FailureNotice|failure-in-address|use-submit|use-visited|return-path|Providers|SetUpHint|account-rules)\./,
  },
]

export default defineConfig({
  root,
  // The build does not know under which path it will be served.
  base: './',
  cacheDir: join(root, '../node_modules/.vite'),
  plugins: [react(), namelessRouter(), siteList(), localeFiles(), legalTexts(), screenPreloads(), precompressed()],
  resolve: { alias: [...resolve.alias, { find: 'use-sync-external-store/shim', replacement: 'react' }] },
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Six characters tell these files apart for good.
      output: { codeSplitting: { groups: GROUPS }, chunkFileNames: 'assets/[name]-[hash:6].js' },
    },
  },
})

/** Our code that the first screen does without. */
const ELSEWHERE =
  /^(screens|files)\/|^parts\/(BurnButton|ConfirmDialog|CopyButton|LeaveGuard|NothingHere|PageLinks|Table|Time)\.|^(save|one-page)\./

/** The libraries and the calls, the addresses of the workers, and our own code that the first screen needs. */
function isEverywhere(id: string): boolean {
  if (id.includes('node_modules')) return /node_modules\/(react|scheduler|use-sync-external-store|i18next)/.test(id)
  if (/core\/shared\/(client|request)\.ts$/.test(id)) return true
  return id.startsWith(root) && (id.includes('?worker&url') || !ELSEWHERE.test(id.slice(root.length)))
}

/**
 * Names that react-router gives its components for debugging keep 4 kB of them alive that nothing here uses. What it says to
 * developers, in the sources it still does.
 */
function namelessRouter(): Plugin {
  return {
    name: 'nameless-router',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-router\// },
      handler: (code) =>
        code
          .replace(/^\w+\.displayName = .*;$/gm, '')
          .replace(/= (React\d*\.(forwardRef|createContext|memo)\()/g, '= /*@__PURE__*/ $1')
          .replace(/"(?:[^"\\\n]|\\.)*"/g, (text) => (text.split(' ').length > 5 ? '""' : text)),
    },
  }
}

/** What the server needs to know of the app. */
function siteList(): Plugin {
  return {
    name: 'site-list',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'site.json', source: JSON.stringify({ routes: Object.values(paths) }) })
    },
  }
}

/** `/locales/{lng}/{ns}.json`, without the spaces. */
function localeFiles(): Plugin {
  const folder = join(root, 'locales')
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  const read = (name: string) => JSON.stringify(JSON.parse(readFileSync(join(folder, name), 'utf8')))
  return {
    name: 'locale-files',
    configureServer({ middlewares }) {
      middlewares.use('/locales', (request, response, next) => {
        const name = files().find((each) => request.url === `/${each}`)
        return name ? response.setHeader('content-type', 'application/json').end(read(name)) : next()
      })
    },
    generateBundle() {
      for (const name of files()) this.emitFile({ type: 'asset', fileName: `locales/${name}`, source: read(name) })
    },
  }
}

/** The texts about privacy and terms as they are written: the server reads them. */
function legalTexts(): Plugin {
  const folder = join(root, 'legal')
  return {
    name: 'legal-texts',
    generateBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.md')) continue
        this.emitFile({ type: 'asset', fileName: `legal/${name}`, source: readFileSync(join(folder, name), 'utf8') })
      }
    },
  }
}

/** Starts the chunk of the home and the secret screen together with the main one: `<!-- preload X -->` in index.html. */
function screenPreloads(): Plugin {
  return {
    name: 'screen-preloads',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) =>
        html.replace(/<!-- preload (\S+) -->/g, (_, screen) => {
          const chunk = Object.values(bundle).find(
            (each) => each.type === 'chunk' && each.facadeModuleId === join(root, screen),
          )
          return chunk ? `<link rel="modulepreload" crossorigin href="./${chunk.fileName}">` : ''
        }),
    },
  }
}

/** Writes a `.br` and a `.gz` beside every file that gains from it. */
export function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue
        const file = join(outDir, name)
        if (existsSync(`${file}.br`)) continue
        const body = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
        writeFileSync(`${file}.br`, brotliCompressSync(body, { params }))
        writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }))
      }
    },
  }
}
