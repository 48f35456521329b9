/** The built app, loaded into memory: requests never reach the file system. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Asset {
  type: string
  etag: string
  /** The name contains a hash of the content, so caches may keep it forever. */
  isImmutable: boolean
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

export interface Assets {
  /** By path, such as `/assets/main.js`. */
  files: Map<string, Asset>
  /** index.html and lite.html, with their placeholders. */
  templates: { app: string; lite: string }
  /** Path patterns of the pages, such as `/public/:username`. */
  routes: string[]
  languages: string[]
  /** The folder of the build. */
  folder: string
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}
const COMPRESSED_SUFFIXES: [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

/** Finds the output of `npm run build`, next to the bundle or relative to the sources. Throws when it does not exist. */
export function findBuild(here: string): string {
  const candidates = [join(here, 'web'), join(here, '../../dist/web')]
  const folder = candidates.find((path) => existsSync(join(path, 'site.json')))
  if (!folder) throw new Error('the web app is not built; run "npm run build"')
  return folder
}

export async function loadAssets(folder: string): Promise<Assets> {
  const names = await readdir(folder, { recursive: true })
  const files = new Map<string, Asset>()
  for (const name of names.map((path) => path.replaceAll('\\', '/'))) {
    const type = TYPES[extname(name)]
    if (type && name !== 'site.json') files.set(`/${name}`, await loadAsset(folder, name, type))
  }
  const { routes } = JSON.parse(await readFile(join(folder, 'site.json'), 'utf8'))
  const readTemplate = (name: string) => readFile(join(folder, name), 'utf8')
  const templates = { app: await readTemplate('index.html'), lite: await readTemplate('lite.html') }
  const languages = [...files.keys()].flatMap((path) => /^\/locales\/(.+)\/common\.json$/.exec(path)?.[1] ?? [])
  return { files, templates, routes, languages: languages.sort(), folder }
}

async function loadAsset(folder: string, name: string, type: string): Promise<Asset> {
  const identity = await readFile(join(folder, name))
  const bodies: Asset['bodies'] = { identity }
  for (const [encoding, suffix] of COMPRESSED_SUFFIXES) {
    const path = join(folder, name + suffix)
    if (existsSync(path)) bodies[encoding] = await readFile(path)
  }
  return { type, etag: toEtag(identity), isImmutable: name.startsWith('assets/'), bodies }
}

/** Creates an asset from content that is generated at run time. */
export function createAsset(type: string, identity: Buffer): Asset {
  return {
    type,
    etag: toEtag(identity),
    isImmutable: false,
    bodies: /^image\/png/.test(type) ? { identity } : compress(identity),
  }
}

export const compress = (identity: Buffer): Asset['bodies'] => ({
  identity,
  br: brotliCompressSync(identity),
  gzip: gzipSync(identity),
})

const toEtag = (body: Buffer): string => `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
