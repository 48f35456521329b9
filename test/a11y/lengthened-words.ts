/**
 * Arabic words for the checks of the layout: written right to left, with marks above and below every word, 40 % longer.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { ROOT } from '#test/source-files'

const ARABIC = JSON.parse(readFileSync(join(ROOT, 'web/locales/ar.json'), 'utf8'))
/** Values that are filled in later, and marks that are not shown. */
const PLACEHOLDER = /(\{\{.*?\}\}|%\w+%|<\/?\w+>|\$t\(.*?\))/
/** Shadda, fatha and kasra: two marks above a letter and one below. */
const MARKS = '\u0651\u064e\u0650'
/** Tatweel, which makes an Arabic word longer. Two are as wide as one letter. */
const STRETCH = '\u0640\u0640'
const FACTOR = 1.4

/** Lengthens every word. Placeholders stay as they are. */
export const lengthen = (text: string): string =>
  text
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\S*\p{L}\S*/gu, lengthenWord)))
    .join('')

/** Serves the lengthened words to this visitor, whose language must be Arabic. */
export async function lengthenWords(page: Page): Promise<void> {
  await page.context().route('**/locales/ar/*.json', async (route) => {
    const namespace = basename(new URL(route.request().url()).pathname, '.json')
    await route.fulfill({ json: lengthenAll(ARABIC[namespace]) })
  })
}

const lengthenAll = (value: unknown): unknown =>
  typeof value === 'string'
    ? lengthen(value)
    : Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, lengthenAll(each)]))

/** Before the punctuation at its end. */
function lengthenWord(word: string): string {
  const end = word.search(/[^\p{L}\p{M}]*$/u)
  return word.slice(0, end) + MARKS + STRETCH.repeat(Math.ceil((FACTOR - 1) * word.length)) + word.slice(end)
}
