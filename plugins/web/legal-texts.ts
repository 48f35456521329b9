/** Privacy policy and terms of use: in the visitor's language, or the operator's own. */
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OperatorError } from '#core'
import { readPackageFile } from '#core/lib/package-files'
import type { EpochMs } from '#shared/epoch-ms'
import type { RichText } from '#shared/rich-text'
import { type Asset, createAsset } from './assets.js'

const NAMES = ['privacy', 'terms'] as const
const MAX_BYTES = 256 * 1024

type Name = (typeof NAMES)[number]
/** The operator's own texts. `changed`: modification time of the file. */
export type CustomTexts = Partial<Record<Name, { markdown: string; changed: EpochMs }>>

interface Options {
  /** The folder of the build. */
  folder: string
  languages: string[]
  product: string
  customTexts: CustomTexts
}

/** Loads the operator's files; an empty path means none. Throws when a file cannot be used. */
export async function loadCustomTexts(files: Record<Name, string>, dataDir: string): Promise<CustomTexts> {
  const texts: CustomTexts = {}
  for (const name of NAMES) {
    if (files[name] === '') continue
    const path = resolve(dataDir, files[name])
    const invalid = (reason: string) =>
      new OperatorError(`the option "${name}File": the file ${reason}`, { isSetting: true })
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw invalid(`could not be read (${error.code})`)
    })
    if (!found.isFile() || found.size > MAX_BYTES) throw invalid('is not a text of at most 256 kB')
    texts[name] = { markdown: await readFile(path, 'utf8'), changed: found.mtimeMs }
  }
  return texts
}

/**
 * Returns a function that finds `/legal/{language}/{name}.json`, or undefined for other paths. Texts are converted on
 * first use.
 */
export function createLegalTexts(options: Options): (path: string) => Promise<Asset> | undefined {
  const cache = new Map<string, Promise<Asset>>()
  return (path) => {
    const [, language = '', name = ''] = /^\/legal\/([\w-]+)\/(\w+)\.json$/.exec(path) ?? []
    const known = NAMES.find((each) => each === name)
    if (!known || !options.languages.includes(language)) return undefined
    const file = cache.get(path) ?? convertText(options, language, known)
    cache.set(path, file)
    file.catch(() => cache.delete(path))
    return file
  }
}

async function convertText({ folder, product, customTexts }: Options, language: string, name: Name): Promise<Asset> {
  const { markdownToRichText } = await import('./markdown-to-rich-text.js')
  const custom = customTexts[name]
  const markdown = custom?.markdown ?? `${await readPackageFile(join(folder, 'legal', language, `${name}.md`))}`
  const text: RichText = markdownToRichText(markdown, { product })
  text.changed ??= custom?.changed ?? null
  return createAsset('application/json; charset=utf-8', Buffer.from(JSON.stringify(text)))
}
