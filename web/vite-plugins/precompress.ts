import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import type { Plugin } from 'vite'
import { OUT_DIR } from './folders.js'

/** Writes a `.br` and a `.gz` file beside every compressible file of the build. Minifies theme.js, a copied file. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const theme = join(OUT_DIR, 'theme.js')
      // Not again in the build of the lite version.
      if (!existsSync(`${theme}.br`))
        writeFileSync(theme, transformSync(readFileSync(theme, 'utf8'), { minify: true }).code)
      for (const name of readdirSync(OUT_DIR, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|json)$/.test(name)) continue
        const file = join(OUT_DIR, name)
        if (existsSync(`${file}.br`)) continue
        const body = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
        writeFileSync(`${file}.br`, brotliCompressSync(body, { params }))
        writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }))
      }
    },
  }
}
