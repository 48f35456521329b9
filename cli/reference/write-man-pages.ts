/** `mayfly man`: prints a page, or writes all pages to a folder. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '#core/lib/create-folder'
import type { Catalog, GlobalFlags } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'
import { createManPage, createManPages } from './man-page.js'

export interface ManFlags {
  dir?: string
}

/** Throws CliError `usage` for an unknown command and for an unwritable folder. */
export async function writeManPages(
  words: string[],
  { dir, json }: ManFlags & GlobalFlags,
  io: Io,
  catalog: Catalog,
): Promise<void> {
  if (dir === undefined) return io.write(createManPage(words, catalog))
  if (words.length > 0) throw new CliError('usage', '--dir writes the pages of all commands', 'leave out the command')
  const pages = Object.entries(createManPages(catalog)).map(([name, content]) => ({ path: join(dir, name), content }))
  try {
    await createFolder(resolvePath(io, dir), 0o777)
    for (const { path, content } of pages) await writeFile(resolvePath(io, path), content)
  } catch (error) {
    throw new CliError('usage', `cannot write to --dir: ${(error as NodeJS.ErrnoException).code}`)
  }
  const paths = pages.map(({ path }) => path)
  await io.writeResult({ json }, paths, paths.map((path) => `${path}\n`).join(''))
}
