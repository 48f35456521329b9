/** The built app in memory: no address that anyone asks for ever reaches the file system. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface SiteFile {
  type: string
  etag: string
  /** Its name says what is in it, so it can be kept for ever. */
  isForever: boolean
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

export interface Site {
  /** By address, such as `/assets/main.js`. */
  files: Map<string, SiteFile>
  /** index.html, with its blanks. */
  template: string
  /** Addresses that show a screen, as patterns of path segments. */
  routes: string[]
  languages: string[]
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
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
  const template = await readFile(join(folder, 'index.html'), 'utf8')
  const languages = [...files.keys()].flatMap((address) => /^\/locales\/(.+)\/common\.json$/.exec(address)?.[1] ?? [])
  return { files, template, routes, languages: languages.sort() }
}

async function readSiteFile(folder: string, name: string, type: string): Promise<SiteFile> {
  const identity = await readFile(join(folder, name))
  const bodies: SiteFile['bodies'] = { identity }
  for (const [encoding, suffix] of SIBLINGS) {
    const sibling = join(folder, name + suffix)
    if (existsSync(sibling)) bodies[encoding] = await readFile(sibling)
  }
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
  return { type, etag, isForever: name.startsWith('assets/'), bodies }
}
