/**
 * Files that are part of Mayfly, such as the web app: on disk beside the bundle, or inside the single executable, whose
 * files have paths below its own path: `/usr/bin/mayfly/dist/web/index.html`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'

/** Start of the paths inside the executable. Null when Node.js runs Mayfly from files. */
const ROOT = isSea() ? `${resolve(process.execPath)}/` : null

/** True in the single executable. */
export const isExecutable = (): boolean => ROOT !== null

export function packageFileExists(path: string): boolean {
  return isInside(path) ? findAsset(path) !== null : existsSync(path)
}

/** Rejects with the error of the file system. Do not write to the buffer: in the executable it is read-only memory. */
export async function readPackageFile(path: string): Promise<Buffer> {
  return isInside(path) ? readAsset(path) : readFile(path)
}

/** Throws the error of the file system. Do not write to the buffer: in the executable it is read-only memory. */
export function readPackageFileSync(path: string): Buffer {
  return isInside(path) ? readAsset(path) : readFileSync(path)
}

const isInside = (path: string): boolean => ROOT !== null && path.startsWith(ROOT)

function readAsset(path: string): Buffer {
  const content = findAsset(path)
  if (content) return content
  const message = `ENOENT: no such file in the executable, open '${path}'`
  throw Object.assign(new Error(message), { code: 'ENOENT', syscall: 'open', path })
}

function findAsset(path: string): Buffer | null {
  try {
    return Buffer.from(getRawAsset(path.slice(ROOT?.length)) as ArrayBuffer)
  } catch {
    return null
  }
}
