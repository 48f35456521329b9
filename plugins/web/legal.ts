/** The texts about privacy and terms: those that come with Mayfly in the visitor's language, or the operator's own. */
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { RichText } from '#shared/rich-text'
import { fileOf, type SiteFile } from './site.js'

const NAMES = ['privacy', 'terms'] as const
const BYTES = 256 * 1024

type Name = (typeof NAMES)[number]
/** The operator's own text, with the time of its file. */
export type OwnTexts = Partial<Record<Name, { markdown: string; changed: number }>>

interface Parts {
  /** Of the build. */
  folder: string
  languages: string[]
  product: string
  own: OwnTexts
}

/** The files that the operator named. Throws when one cannot be used. */
export async function readOwnTexts(files: Record<Name, string>, dataDir: string): Promise<OwnTexts> {
  const own: OwnTexts = {}
  for (const name of NAMES) {
    if (files[name] === '') continue
    const path = resolve(dataDir, files[name])
    const refuse = (why: string) => new Error(`the option "${name}File": the file ${why}`)
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw refuse(`could not be read (${error.code})`)
    })
    if (!found.isFile() || found.size > BYTES) throw refuse('is not a text of at most 256 kB')
    own[name] = { markdown: await readFile(path, 'utf8'), changed: found.mtimeMs }
  }
  return own
}

/** Answers `/legal/{language}/{name}.json`; undefined for any other address. Each text is read when it is first asked for. */
export function legalTexts({
  folder,
  languages,
  product,
  own,
}: Parts): (path: string) => Promise<SiteFile> | undefined {
  const made = new Map<string, Promise<SiteFile>>()

  async function make(language: string, name: Name): Promise<SiteFile> {
    const { readMarkdown } = await import('./rich-text.js')
    const markdown = own[name]?.markdown ?? (await readFile(join(folder, 'legal', language, `${name}.md`), 'utf8'))
    const text: RichText = readMarkdown(markdown, { product })
    text.changed ??= own[name]?.changed ?? null
    return fileOf('application/json; charset=utf-8', Buffer.from(JSON.stringify(text)))
  }

  return (path) => {
    const [, language = '', name = ''] = /^\/legal\/([\w-]+)\/(\w+)\.json$/.exec(path) ?? []
    const known = NAMES.find((each) => each === name)
    if (!known || !languages.includes(language)) return undefined
    const file = made.get(path) ?? make(language, known)
    made.set(path, file)
    file.catch(() => made.delete(path))
    return file
  }
}
