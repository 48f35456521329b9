/** Groups of modules that share a chunk. */
import { join } from 'node:path'
import { WEB } from './folders.js'

interface Graph {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

const MAIN = join(WEB, 'app/main.tsx')
const EARLY_CHECK = join(WEB, 'features/reveal/early-check.ts')
const FIRST_PAGE = join(WEB, 'features/compose/ComposePage.tsx')
const FEATURES = join(WEB, 'features')

/**
 * Modules that every page needs are one file: it compresses better than its parts, and takes one request. Modules that
 * several other pages need are one file per folder, because the first page carries a list of all chunks. A group takes
 * along the imports of its modules, so the groups that import nothing from the others come first. Sessions are a group
 * for any share count: the routes of all pages have loaded them, so they count as used once, and the administration
 * would take them along.
 */
export const CHUNK_GROUPS = [
  { name: 'format-time', test: /web\/lib\/format-time\.ts$/ },
  { name: earlyChunk },
  { name: appChunk },
  { name: sharedChunk, minShareCount: 2 },
  { name: folderChunk, test: /web\/lib\/session\// },
  { name: folderChunk, test: /web\/(?!features\/)/, minShareCount: 2 },
  { name: folderChunk, test: /(?<!Page\.tsx)$/, minShareCount: 2 },
]

let ofEarlyCheck: Set<string> | undefined
let neededByAll: Set<string> | undefined

/** It runs before the app is loaded, so it imports no other chunk but the one for times, which other pages need too. */
function earlyChunk(id: string, graph: Graph): string | null {
  ofEarlyCheck ??= importsOf(EARLY_CHECK, graph)
  return ofEarlyCheck.has(id) ? 'early-check' : null
}

/** Libraries, imports of the entry, and imports of the first page from outside the features. */
function appChunk(id: string, graph: Graph): string | null {
  if (/node_modules\/(react|scheduler)/.test(id)) return 'app'
  const ofFirstPage = () => [...importsOf(FIRST_PAGE, graph)].filter((each) => !each.startsWith(FEATURES))
  neededByAll ??= new Set([...importsOf(MAIN, graph), ...ofFirstPage()])
  return neededByAll.has(id) ? 'app' : null
}

/** A chunk per file of core/shared: a page needs few of them. */
function sharedChunk(id: string): string | null {
  return /core\/shared\/(?:[\w-]+\/)*([\w-]+)\.ts$/.exec(id)?.[1] ?? null
}

/** Such as `components`, `lib-transfers` or `features-auth`. */
function folderChunk(id: string): string | null {
  const folders = id.startsWith(WEB) ? id.slice(WEB.length).split('/').slice(0, -1) : []
  return folders.join('-') || null
}

/** The module and what it imports statically, at any depth. */
function importsOf(id: string, graph: Graph, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found
  found.add(id)
  for (const each of graph.getModuleInfo(id)?.importedIds ?? []) importsOf(each, graph, found)
  return found
}
