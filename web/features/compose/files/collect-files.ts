/** Turns chosen, dropped and pasted files into attachments. */
import { FILES_MAX } from '#shared/limits'
import type { Attachment, DroppedFiles } from '../draft/attachments.js'

/** The name that browsers give to a pasted image. */
const PASTED_IMAGE = /^image\.(\w+)$/

let lastId = 0
let pastedImages = 0

/**
 * Adds the files in folders, named by their paths. Stops one above the limit of files, so that the limit is reported.
 */
export async function collectFiles({ files, entries }: DroppedFiles): Promise<Attachment[]> {
  if (!entries.some((entry) => entry.isDirectory)) return files.map((file) => toAttachment(fileNameOf(file), file))
  const found: Attachment[] = []
  for (const entry of entries) await collectEntry(entry, found)
  return found
}

async function collectEntry(entry: FileSystemEntry, found: Attachment[]): Promise<void> {
  if (found.length > FILES_MAX) return
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push(toAttachment(entry.fullPath.replace(/^\//, ''), file))
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // `readEntries` returns batches; an empty one is the end.
  for (
    let batch = await readBatch(reader);
    batch.length > 0 && found.length <= FILES_MAX;
    batch = await readBatch(reader)
  ) {
    for (const each of batch) await collectEntry(each, found)
  }
}

const readBatch = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

function toAttachment(name: string, file: File): Attachment {
  lastId += 1
  return { id: lastId, name, file }
}

function fileNameOf({ name, type }: File): string {
  const [, extension] = PASTED_IMAGE.exec(name) ?? []
  if (!extension || !type.startsWith('image/')) return name
  pastedImages += 1
  return `picture-${pastedImages}.${extension}`
}
