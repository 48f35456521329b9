/**
 * The files that index.html requests, and their order. A script without `type="module"` stops the parser, and browsers
 * do not look ahead after a Content-Security-Policy in the page, so theme.js comes after everything that is requested.
 */
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { lookUp } from '#shared/look-up'
import { WEB } from './folders.js'

/**
 * Replaces `<!-- preload FILE -->` in index.html by a `modulepreload` of the chunk of that file and of all chunks that
 * it imports, directly or not, and `<!-- script FILE -->` by a script. `preload-later` lets other requests go first.
 * Moves the tags that Vite adds at the end of the head to `<!-- stylesheet -->` and `<!-- entry script -->`: the first
 * paint waits for the stylesheet, and a browser requests at most six files at once over HTTP/1.1.
 */
export function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    transformIndexHtml: {
      order: 'post',
      handler: (source, { bundle = {} }) => {
        const html = moveEntry(source).replace(/<!-- script (\S+) -->/g, (_, file) => loadScript(file, bundle))
        return html.replace(/<!-- preload(-later)? (\S+) -->/g, (_, later, file) => {
          const chunk = findChunk(file, bundle)
          // The scripts in the HTML are requested already.
          const files = chunk ? listImports(chunk.fileName, bundle).filter((name) => !html.includes(name)) : []
          const attributes = `rel="modulepreload"${later ? ' fetchpriority="low"' : ''} crossorigin`
          return files.map((name) => `<link ${attributes} href="./${name}">`).join('\n    ')
        })
      },
    },
  }
}

/** Nothing in development, where the app imports it. */
function loadScript(file: string, bundle: Rolldown.OutputBundle): string {
  const chunk = findChunk(file, bundle)
  return chunk ? `<script type="module" crossorigin src="./${chunk.fileName}"></script>` : ''
}

/** The chunk with this file of web. */
function findChunk(file: string, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk | undefined {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  return chunks.find(({ moduleIds }) => moduleIds.includes(join(WEB, file)))
}

/** Returns the file names of the chunk and of the chunks that it imports, directly or not. */
function listImports(fileName: string, bundle: Rolldown.OutputBundle): string[] {
  const files = new Set([fileName])
  // Grows while it is iterated over.
  for (const name of files) {
    const chunk = bundle[name]
    if (chunk?.type === 'chunk') for (const each of chunk.imports) files.add(each)
  }
  return [...files]
}

/** The tags that Vite adds, by the comment in their place. */
const ADDED: Record<string, RegExp> = {
  '<!-- stylesheet -->': /^<link rel="stylesheet" crossorigin /,
  '<!-- entry script -->': /^<script type="module" crossorigin /,
}

/** Changes nothing in development, where the stylesheet is part of the script. */
function moveEntry(html: string): string {
  const lines = html.split('\n')
  const isAdded = (line: string) => Object.values(ADDED).some((pattern) => pattern.test(line.trim()))
  return lines
    .filter((line) => !isAdded(line))
    .flatMap((line) => {
      const pattern = lookUp(ADDED, line.trim())
      return pattern ? lines.filter((each) => pattern.test(each.trim())) : [line]
    })
    .join('\n')
}
