/**
 * Which files index.html requests, and in which order. A script without `type="module"` stops the parser, and browsers do not look
 * ahead after a Content-Security-Policy in the page, so theme.js comes after everything that is requested.
 */
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { WEB } from './folders.js'

/** Where the stylesheet and the entry script belong, which Vite adds to the end of the head. */
const ENTRY_MARK = '<!-- styles and entry script -->'

/**
 * Replaces `<!-- preload FILE -->` in index.html by a `modulepreload` of the chunk of that file and of the chunks that it imports,
 * and moves the stylesheet and the entry script to `<!-- styles and entry script -->`: the first paint waits for the stylesheet,
 * and a browser requests at most six files at once over HTTP/1.1.
 */
export function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    transformIndexHtml: {
      order: 'post',
      handler: (source, { bundle = {} }) => {
        const html = moveEntry(source)
        return html.replace(/<!-- preload (\S+) -->/g, (_, file) => {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== 'chunk' || !chunk.moduleIds.includes(join(WEB, file))) continue
            // The script of the page itself is in the HTML already.
            const files = [chunk.fileName, ...chunk.imports.filter((name) => !html.includes(name))]
            return files.map((name) => `<link rel="modulepreload" crossorigin href="./${name}">`).join('\n    ')
          }
          return ''
        })
      },
    },
  }
}

/** Changes nothing in development, where the stylesheet is part of the script. */
function moveEntry(html: string): string {
  const lines = html.split('\n')
  // Stylesheets sort before scripts.
  const entry = lines.filter(isEntry).sort()
  return lines
    .filter((line) => !isEntry(line))
    .flatMap((line) => (line.trim() === ENTRY_MARK ? entry : [line]))
    .join('\n')
}

const isEntry = (line: string): boolean =>
  /^<(?:link rel="stylesheet"|script type="module") crossorigin /.test(line.trim())
