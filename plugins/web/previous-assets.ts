/**
 * Files of earlier builds. Each build leaves a copy of its scripts and stylesheets in the data folder, so that a page
 * which was loaded before an upgrade can still load its other parts.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFolder } from '#core'
import { readPackageFile } from '#core/lib/package-files'
import type { EpochMs } from '#shared/epoch-ms'
import { type Asset, INDEX, readAsset, readIndex, SUFFIXES } from './assets.js'

/** How long pages of a build work after the server has started with another build. */
const KEEP_MS = 7 * 24 * 3600 * 1000
/** Inside the data folder: a folder per build, whose modification time is the start of its use. */
const FOLDER = 'web-assets'
/** Start of the name of a folder that is being copied. */
const UNFINISHED = '.new-'

/**
 * Copies the files of `build` below `dataDir`, and deletes the builds that were replaced more than a week before `now`.
 * Does nothing when there is no data folder. Rejects with the error of the file system.
 */
export async function keepAssets(build: string, dataDir: string, now: EpochMs): Promise<void> {
  if (!(await stat(dataDir).catch(() => null))) return
  const folder = join(dataDir, FOLDER)
  await createFolder(folder)
  const id = createHash('sha256')
    .update(await readPackageFile(join(build, INDEX)))
    .digest('hex')
    .slice(0, 16)
  const builds = await listBuilds(folder)
  const newest = builds.at(-1)
  if (!builds.some(({ name }) => name === id)) await copyBuild(build, folder, id)
  // A build that is used again after a downgrade is the newest one again.
  if (newest?.name !== id) await utimes(join(folder, id), now / 1000, now / 1000)
  for (const [index, { name }] of builds.entries()) {
    const replacedAt = builds[index + 1]?.startedAt ?? now
    if (name !== id && replacedAt < now - KEEP_MS) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** The file of an earlier build with a path such as `/assets/main-1a2b3c4d.js`; undefined when there is none. */
export async function findPreviousAsset(dataDir: string, path: string): Promise<Asset | undefined> {
  if (!path.startsWith('/assets/')) return undefined
  const folder = join(dataDir, FOLDER)
  for (const { name } of await listBuilds(folder)) {
    if (name.startsWith(UNFINISHED)) continue
    const encodings = (await readIndex(join(folder, name))).get(path.slice(1))
    if (encodings) return readAsset(join(folder, name), path.slice(1), encodings)
  }
}

/** Copies to a new name first: another process may do the same, and each may be killed. */
async function copyBuild(build: string, folder: string, id: string): Promise<void> {
  const copy = await mkdtemp(join(folder, UNFINISHED))
  try {
    for (const name of await listAssetFiles(build)) {
      await mkdir(dirname(join(copy, name)), { recursive: true })
      await writeFile(join(copy, name), await readPackageFile(join(build, name)))
    }
    await rename(copy, join(folder, id))
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

/** Paths of the scripts and stylesheets of a build, with their compressed copies, and of its list. */
async function listAssetFiles(build: string): Promise<string[]> {
  const assets = [...(await readIndex(build))].filter(([name]) => name.startsWith('assets/'))
  const files = assets.flatMap(([name, encodings]) => [name, ...encodings.map((each) => name + SUFFIXES[each])])
  return [...files, INDEX]
}

/** The oldest first. */
async function listBuilds(folder: string): Promise<{ name: string; startedAt: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const builds = await Promise.all(
    names.map(async (name) => ({ name, startedAt: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  )
  return builds.sort((a, b) => a.startedAt - b.startedAt)
}
