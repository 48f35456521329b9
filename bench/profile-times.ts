/** Self times in a V8 CPU profile, by package and by function. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The format of V8: `samples` are ids of nodes, `timeDeltas` the µs before each of them. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

interface CallFrame {
  functionName: string
  scriptId: string
  url: string
  /** Both start at 0. */
  lineNumber: number
  columnNumber: number
}

export interface SelfTime {
  name: string
  ms: number
  /** Share of the time in which the main thread was not idle. */
  share: number
  microsPerRequest: number
}

/**
 * By npm package, module of Node.js, folder of this project, and the states of V8: garbage collector, program (native
 * code outside of JavaScript) and idle. A native function counts as its caller. Longest first.
 */
export const packageTimes = (profile: CpuProfile, requests: number): SelfTime[] =>
  sumTimes(profile, requests, ({ callFrame, caller }, source) =>
    packageOf(isNative(callFrame) ? caller : callFrame, source),
  )

/** By function, with its file and line. V8 may name native functions of add-ons after another one. Longest first. */
export const functionTimes = (profile: CpuProfile, requests: number): SelfTime[] =>
  sumTimes(profile, requests, ({ callFrame, caller }, source) => {
    if (isNative(callFrame)) return `${callFrame.functionName || '(anonymous)'} native, of ${packageOf(caller, source)}`
    const place = source ? ` ${source.path}:${source.line}` : ''
    return `${callFrame.functionName || '(anonymous)'}${place}`
  })

const IDLE = '(idle)'

interface Node {
  callFrame: CallFrame
  /** The next function up the stack that is not native; the function itself when there is none. */
  caller: CallFrame
}

function sumTimes(
  profile: CpuProfile,
  requests: number,
  nameOf: (node: Node, source: Source | null) => string,
): SelfTime[] {
  const { samples, timeDeltas } = profile
  const sourceOf = sourceFinder()
  const names = new Map<number, string>()
  for (const [id, node] of nodesWithCallers(profile)) names.set(id, nameOf(node, sourceOf(node.caller)))
  const micros = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) as string
    micros.set(name, (micros.get(name) ?? 0) + (timeDeltas[index + 1] ?? 0))
  }
  const total = [...micros].reduce((sum, [name, value]) => (name === IDLE ? sum : sum + value), 0)
  return [...micros]
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => ({
      name,
      ms: value / 1000,
      share: name === IDLE ? 0 : value / total,
      microsPerRequest: value / requests,
    }))
}

function nodesWithCallers({ nodes }: CpuProfile): Map<number, Node> {
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])))
  return new Map(
    nodes.map(({ id, callFrame }) => {
      let caller = parents.get(id)
      while (caller && isNative(caller.callFrame)) caller = parents.get(caller.id)
      return [id, { callFrame, caller: isNative(callFrame) && caller ? caller.callFrame : callFrame }]
    }),
  )
}

/** Native functions have no script. Names of states, such as `(idle)`, start with a parenthesis. */
const isNative = ({ functionName, scriptId, url }: CallFrame) =>
  url === '' && scriptId === '0' && !functionName.startsWith('(')

function packageOf({ functionName, scriptId, url }: CallFrame, source: Source | null): string {
  if (functionName.startsWith('(') && url === '') return functionName
  // Generated functions have a script without a URL.
  if (url === '') return scriptId === '0' ? 'native' : 'generated code (new Function)'
  if (url.startsWith('node:')) return url.replace(/^(node:internal\/[^/]+)\/.*/, '$1')
  if (url.startsWith('wasm:')) return 'WebAssembly'
  const path = source?.path ?? url
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(`/${path}`)?.[1]
  return name ?? `mayfly ${path.split('/').slice(0, -1).slice(0, 2).join('/') || path}`
}

interface Source {
  /** In the repository, or of the package. */
  path: string
  /** Starts at 1. */
  line: number
}

/** Finds the source of a frame: with the source map of the build, else the file itself. Null: the frame has no file. */
function sourceFinder(): (frame: CallFrame) => Source | null {
  const maps = new Map<string, SourceMap | null>()
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith('file:')) return url.startsWith('node:') ? { path: url, line: lineNumber + 1 } : null
    const map = maps.get(url) ?? readSourceMap(url)
    maps.set(url, map)
    const entry = map?.findEntry(lineNumber, columnNumber)
    if (entry && 'originalSource' in entry)
      return { path: entry.originalSource.replace(/^(\.\.\/)+/, ''), line: entry.originalLine + 1 }
    return { path: url.replace(/^.*\/node_modules\//, 'node_modules/'), line: lineNumber + 1 }
  }
}

/** Null for a file without a source map, and for packages, whose source maps are not needed. */
function readSourceMap(url: string): SourceMap | null {
  if (url.includes('/node_modules/')) return null
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    return null
  }
}
