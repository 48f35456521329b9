import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'

/** Replaces `<!-- preload FILE -->` in index.html by a `modulepreload` of the chunk of that file. */
export function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) =>
        html.replace(/<!-- preload (\S+) -->/g, (_, file) => {
          const chunk = Object.values(bundle).find(
            (each) => each.type === 'chunk' && each.facadeModuleId === join(WEB, file),
          )
          return chunk ? `<link rel="modulepreload" crossorigin href="./${chunk.fileName}">` : ''
        }),
    },
  }
}
