import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'

/** Emits the Markdown of the privacy policy and the terms unchanged: the server parses it. */
export function legalTexts(): Plugin {
  const folder = join(WEB, 'legal')
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
