/**
 * A build of the same sources in another folder and time zone writes the same files, so that a release can be checked. One of them has
 * only the files that the build of the container image gets.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

function copyAll(folder: string): void {
  for (const name of readdirSync(ROOT)) {
    if (!NOT_COPIED.has(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
}

/** Copies what `.dockerignore` lets through: the lines that begin with `!`, without tests. */
function copyImageContext(folder: string): void {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  for (const name of lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\.test\.tsx?$/.test(path),
    })
  }
}

/** Copies the sources and builds them. The packages are hard links, because a symbolic link is part of the build. */
function buildCopy(folder: string, timeZone: string, copySources = copyAll): Record<string, string> {
  mkdirSync(folder, { recursive: true })
  copySources(folder)
  execFileSync('cp', ['-al', join(ROOT, 'node_modules'), join(folder, 'node_modules')])
  // Caches would be written through the links.
  for (const cache of ['.cache', '.vite', '.vite-temp', '.dev']) {
    rmSync(join(folder, 'node_modules', cache), { recursive: true, force: true })
  }
  // Without NODE_ENV, which vitest sets: pages of a development build contain paths.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TZ: timeZone }
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'pipe', env })
  return hashesOf(join(folder, 'dist'))
}

const isPackaged = (path: string) => !/\.map$|\/bench\.|\.built$/.test(path)

test('builds in different folders and time zones, and of the image, have the same files', { timeout: 900_000 }, () => {
  // In a folder that no test reads, on the same disk as the packages.
  const copies = join(ROOT, 'data', `build-${process.pid}`)
  try {
    const first = buildCopy(join(copies, 'a'), 'UTC')
    const second = buildCopy(join(copies, 'another/folder'), 'Pacific/Kiritimati', copyImageContext)
    expect(Object.keys(first).length).toBeGreaterThan(300)
    expect(second).toEqual(first)
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
})
