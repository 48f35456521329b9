/** A second build of the same sources in the same folder writes the same files, so that a release can be checked. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#test/source-files'

/** Neither sources nor part of the package. */
const NOT_COPIED = new Set(['node_modules', 'dist', 'data', '.git'])

/** SHA-256 of each file of a build that is in the package. */
function hashesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => isPackaged(path))
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
}

function build(folder: string): Record<string, string> {
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'pipe' })
  return hashesOf(join(folder, 'dist'))
}

const isPackaged = (path: string) => !/\.map$|\/bench\.|\.built$/.test(path)

test('a second build in the same folder has the same files', { timeout: 600_000 }, () => {
  // In a folder that no test reads, on the same disk: the packages are hard links, because a symbolic link is part of the build.
  const copy = join(ROOT, 'data', `build-${process.pid}`)
  mkdirSync(copy, { recursive: true })
  try {
    for (const name of readdirSync(ROOT)) {
      if (!NOT_COPIED.has(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    }
    execFileSync('cp', ['-al', join(ROOT, 'node_modules'), join(copy, 'node_modules')])
    // Caches would be written through the links.
    for (const cache of ['.cache', '.vite', '.vite-temp', '.dev']) {
      rmSync(join(copy, 'node_modules', cache), { recursive: true, force: true })
    }
    const [first, second] = [build(copy), build(copy)]
    expect(Object.keys(first).length).toBeGreaterThan(300)
    expect(second).toEqual(first)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
