// Build step: lists the files of the web app that the server serves, and the encodings of each, in dist/web/files.json.
// The server reads this list at start, and each file at its first request.
import { readdirSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const folder = join(import.meta.dirname, '../dist/web')
const TYPES = new Set(['.js', '.css', '.json', '.svg', '.png'])
/** Suffixes of compressed copies, the smallest first. */
const ENCODINGS = { '.br': 'br', '.gz': 'gzip' }
/** For the server only. */
const PRIVATE = new Set(['site.json', 'files.json'])

const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
const existing = new Set(names)
const served = names.filter((name) => TYPES.has(extname(name)) && !PRIVATE.has(name)).sort()
const findEncodings = (name) =>
  Object.entries(ENCODINGS).flatMap(([suffix, encoding]) => (existing.has(name + suffix) ? [encoding] : []))
const index = Object.fromEntries(served.map((name) => [name, findEncodings(name)]))
writeFileSync(join(folder, 'files.json'), JSON.stringify(index))
