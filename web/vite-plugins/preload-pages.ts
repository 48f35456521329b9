import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'

/** Replaces `<!-- preload FILE -->` in index.html by a `modulepreload` of the chunk of that file and of the chunks that it imports. */
export function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) =>
        html.replace(/<!-- preload (\S+) -->/g, (_, file) => {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== 'chunk' || !chunk.moduleIds.includes(join(WEB, file))) continue
            // The script of the page itself is in the HTML already.
            const files = [chunk.fileName, ...chunk.imports.filter((name) => !html.includes(name))]
            return files.map((name) => `<link rel="modulepreload" crossorigin href="./${name}">`).join('\n    ')
          }
          return ''
        }),
    },
  }
}
