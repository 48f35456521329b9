/** From what came in to files with names. */
import { FILES_MAX } from '#shared/limits'
import type { Attached } from './attached-files.js'
import type { Incoming } from './use-file-drop.js'

/** What browsers call a picture that never was a file. */
const NAMELESS = /^image\.(\w+)$/

let lastId = 0
let pictures = 0

/** Folders give the files in them, named with their paths; no more than any instance takes, and one that tells so. */
export async function unpack({ files, entries }: Incoming): Promise<Attached[]> {
  if (!entries.some((entry) => entry.isDirectory)) return files.map((file) => attached(nameOf(file), file))
  const found: Attached[] = []
  for (const entry of entries) await walk(entry, found)
  return found
}

async function walk(entry: FileSystemEntry, found: Attached[]): Promise<void> {
  if (found.length > FILES_MAX) return
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push(attached(entry.fullPath.replace(/^\//, ''), file))
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A folder is told of in batches, until one is empty.
  for (let batch = await next(reader); batch.length > 0 && found.length <= FILES_MAX; batch = await next(reader)) {
    for (const each of batch) await walk(each, found)
  }
}

const next = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

function attached(name: string, file: File): Attached {
  lastId += 1
  return { id: lastId, name, file }
}

function nameOf({ name, type }: File): string {
  const [, extension] = NAMELESS.exec(name) ?? []
  if (!extension || !type.startsWith('image/')) return name
  pictures += 1
  return `picture-${pictures}.${extension}`
}
