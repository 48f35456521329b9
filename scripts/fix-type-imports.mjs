// Build step: replaces the `imports` of package.json by relative paths in the type declarations, because the package
// does not contain the sources that the entries point to.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = dirname(import.meta.dirname)
const types = join(root, 'dist/types')
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
for (const name of readdirSync(types, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue
  const text = readFileSync(join(types, name), 'utf8')
  const changed = text.replace(/(['"])(#[^'"]+)\1/g, (whole, quote, entry) => {
    const path = findTarget(entry)
    if (path === null) return whole
    const target = relative(dirname(join(types, name)), join(types, path.replace(/\.ts$/, '.js')))
    return `${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`
  })
  if (changed !== text) writeFileSync(join(types, name), changed)
}

/** Source file of an `imports` entry; null for any other specifier. */
function findTarget(entry) {
  for (const [pattern, path] of Object.entries(imports)) {
    const [before, after] = pattern.split('*')
    if (entry === pattern) return path
    if (after !== undefined && entry.startsWith(before)) return path.replace('*', entry.slice(before.length))
  }
  return null
}
