/** The files of the built app. The build writes their list; their contents are read at the first request. */
import { createHash } from 'node:crypto'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { packageFileExists, readPackageFile } from '#core/lib/package-files'
import { lookUp } from '#shared/look-up'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface Asset {
  type: string
  etag: string
  /** The name contains a hash of the content, so caches may keep it forever. */
  isImmutable: boolean
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

export interface Assets {
  /** The file with a path such as `/assets/main.js`. Undefined for an unknown file. */
  find(path: string): Promise<Asset> | undefined
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
/** Of the compressed copies beside a file. */
export const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' }
/** Files that are kept in memory, in bytes with all encodings. Enough for the whole app in several languages. */
const CACHE_BYTES = 4 * 2 ** 20
/** Written by `scripts/index-web-files.mjs`: the encodings of each file, by its path in the folder. */
export const INDEX = 'files.json'

/**
 * Finds the output of `npm run build`, next to the bundle or relative to the sources. Throws when it does not exist.
 */
export function findBuild(here: string): string {
  const candidates = [join(here, 'web'), join(here, '../../dist/web')]
  const folder = candidates.find((path) => packageFileExists(join(path, INDEX)))
  if (!folder) throw new Error('the web app is not built; run "npm run build"')
  return folder
}

export async function loadAssets(folder: string): Promise<Assets> {
  const readText = async (name: string) => `${await readPackageFile(join(folder, name))}`
  const [site, app, lite] = await Promise.all(['site.json', 'index.html', 'lite.html'].map(readText))
  const encodings = await readIndex(folder)
  const languages = [...encodings.keys()].flatMap((name) => /^locales\/(.+)\/common\.json$/.exec(name)?.[1] ?? [])
  return {
    find: createFileReader(folder, encodings),
    templates: { app: app as string, lite: lite as string },
    routes: JSON.parse(site as string).routes,
    languages: languages.sort(),
    folder,
  }
}

/** The encodings of each file of a build besides its own, by its path in the folder. */
export async function readIndex(folder: string): Promise<Map<string, Encoding[]>> {
  return new Map(Object.entries(JSON.parse(`${await readPackageFile(join(folder, INDEX))}`)))
}

function createFileReader(folder: string, encodings: Map<string, Encoding[]>): Assets['find'] {
  const cache = new LRUCache<string, Asset>({ maxSize: CACHE_BYTES, sizeCalculation: countBytes })

  async function read(name: string, compressed: Encoding[]): Promise<Asset> {
    const cached = cache.get(name)
    if (cached) return cached
    const asset = await readAsset(folder, name, compressed)
    cache.set(name, asset)
    return asset
  }

  return (path) => {
    const name = path.slice(1)
    const compressed = encodings.get(name)
    return compressed && read(name, compressed)
  }
}

/** `compressed`: encodings of the file besides its own. */
export async function readAsset(folder: string, name: string, compressed: Encoding[]): Promise<Asset> {
  const identity = await readPackageFile(join(folder, name))
  const bodies: Asset['bodies'] = { identity }
  for (const encoding of compressed) bodies[encoding] = await readPackageFile(join(folder, name + SUFFIXES[encoding]))
  const type = lookUp(TYPES, extname(name)) ?? 'application/octet-stream'
  return { type, etag: toEtag(identity), isImmutable: name.startsWith('assets/'), bodies }
}

const countBytes = ({ bodies }: Asset): number =>
  Object.values(bodies).reduce((sum, { byteLength }) => sum + byteLength, 1)

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
