// A step of a build: the doors of package.json lead to sources, which are not in the package. In the types, which are, they
// become paths.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = dirname(import.meta.dirname)
const types = join(root, 'dist/types')
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
for (const name of readdirSync(types, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue
  const text = readFileSync(join(types, name), 'utf8')
  const changed = text.replace(/(['"])(#[^'"]+)\1/g, (whole, quote, door) => {
    const path = targetOf(door)
    if (path === null) return whole
    const way = relative(dirname(join(types, name)), join(types, path.replace(/\.ts$/, '.js')))
    return `${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`
  })
  if (changed !== text) writeFileSync(join(types, name), changed)
}

/** The source behind a door; null for what is none. */
function targetOf(door) {
  for (const [pattern, path] of Object.entries(imports)) {
    const [before, after] = pattern.split('*')
    if (door === pattern) return path
    if (after !== undefined && door.startsWith(before)) return path.replace('*', door.slice(before.length))
  }
  return null
}
