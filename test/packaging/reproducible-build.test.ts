/**
 * A build of the same sources in another folder and time zone, with only the files that the build of the container
 * image gets, writes the same files as the build of this folder. So a release can be checked.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { ROOT } from '#test/source-files'

/** SHA-256 of each file of a build that is in the package. */
function hashesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => isPackaged(path))
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
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
function buildCopy(folder: string, timeZone: string): Record<string, string> {
  mkdirSync(folder, { recursive: true })
  copyImageContext(folder)
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
  expect(inject('buildProblem')).toBeNull()
  // In a folder that no test reads, on the same disk as the packages.
  const copies = join(ROOT, 'data', `build-${process.pid}`)
  try {
    const copy = buildCopy(join(copies, 'another/folder'), 'Pacific/Kiritimati')
    expect(Object.keys(copy).length).toBeGreaterThan(300)
    expect(copy).toEqual(hashesOf(join(ROOT, 'dist')))
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
})
