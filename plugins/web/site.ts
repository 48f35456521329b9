/** The built app in memory: no address that anyone asks for ever reaches the file system. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface SiteFile {
  type: string
  etag: string
  /** Its name says what is in it, so it can be kept for ever. */
  isForever: boolean
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

export interface Templates {
  app: string
  lite: string
}

export interface Site {
  /** By address, such as `/assets/main.js`. */
  files: Map<string, SiteFile>
  /** index.html and lite.html, with their blanks. */
  templates: Templates
  /** Addresses that show a screen, as patterns of path segments. */
  routes: string[]
  languages: string[]
  /** Where it was read from. */
  folder: string
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}
const SIBLINGS: [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

/** Where `npm run build` puts the app: seen from the bundle, else from the sources. Throws when it is in neither place. */
export function findBuild(here: string): string {
  const folder = [join(here, 'web'), join(here, '../../dist/web')].find((place) => existsSync(join(place, 'site.json')))
  if (!folder) throw new Error('the web app is not built; run "npm run build"')
  return folder
}

export async function readSite(folder: string): Promise<Site> {
  const names = await readdir(folder, { recursive: true })
  const files = new Map<string, SiteFile>()
  for (const name of names.map((each) => each.replaceAll('\\', '/'))) {
    const type = TYPES[extname(name)]
    if (type && name !== 'site.json') files.set(`/${name}`, await readSiteFile(folder, name, type))
  }
  const { routes } = JSON.parse(await readFile(join(folder, 'site.json'), 'utf8'))
  const template = (name: string) => readFile(join(folder, name), 'utf8')
  const templates = { app: await template('index.html'), lite: await template('lite.html') }
  const languages = [...files.keys()].flatMap((address) => /^\/locales\/(.+)\/common\.json$/.exec(address)?.[1] ?? [])
  return { files, templates, routes, languages: languages.sort(), folder }
}

async function readSiteFile(folder: string, name: string, type: string): Promise<SiteFile> {
  const identity = await readFile(join(folder, name))
  const bodies: SiteFile['bodies'] = { identity }
  for (const [encoding, suffix] of SIBLINGS) {
    const sibling = join(folder, name + suffix)
    if (existsSync(sibling)) bodies[encoding] = await readFile(sibling)
  }
  return { type, etag: etagOf(identity), isForever: name.startsWith('assets/'), bodies }
}

/** A file that is made while the server runs. */
export function fileOf(type: string, identity: Buffer): SiteFile {
  return {
    type,
    etag: etagOf(identity),
    isForever: false,
    bodies: /^image\/png/.test(type) ? { identity } : compressed(identity),
  }
}

export const compressed = (identity: Buffer): SiteFile['bodies'] => ({
  identity,
  br: brotliCompressSync(identity),
  gzip: gzipSync(identity),
})

const etagOf = (body: Buffer): string => `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
