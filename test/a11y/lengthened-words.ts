/**
 * Arabic words for the checks of the layout, written right to left, with marks above and below every word, and lengthened:
 * every text is 40 % longer than it is, and takes at least as much room as its longest translation.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ROOT } from '#test/source-files'

const LOCALES = join(ROOT, 'web/locales')
const PLURAL = /_(zero|one|two|few|many|other)$/
/** Blanks that are filled in later, and marks that are not shown. */
const PLACEHOLDER = /(\{\{.*?\}\}|%\w+%|<\/?\w+>|\$t\(.*?\))/
/** Shadda, fatha and kasra: two marks above a letter and one below. */
const MARKS = '\u0651\u064e\u0650'
/** Tatweel, which makes an Arabic word longer. Two take the room of one letter. */
const STRETCH = '\u0640\u0640'
/** Stands for the words of other languages in a text that has none in Arabic. */
const FILLER = 'ك'
const FACTOR = 1.4
/** More than the longest translation has letters, because letters of other scripts are wider. */
const MARGIN = 1.4
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

type Texts = Map<string, string>

/** Every text of a language, by file and key. */
export function readTexts(language: string): Texts {
  const texts: Texts = new Map()
  for (const name of readdirSync(join(LOCALES, language))) {
    collect(JSON.parse(readFileSync(join(LOCALES, language, name), 'utf8')), name.replace('.json', ''), texts)
  }
  return texts
}

export const LANGUAGES = readdirSync(LOCALES)

/** All forms of one text are as long as the longest of them. */
export const withoutPlural = (key: string): string => key.replace(PLURAL, '')

let room: Map<string, Room> | null = null

/** The text of this key, lengthened. Placeholders stay as they are. */
export function lengthen(key: string, text: string): string {
  room ??= findRoom()
  const { total, word } = room.get(withoutPlural(key)) ?? { total: 0, word: 0 }
  const words = wordsOf(text).filter(hasLetters)
  if (words.length === 0) return total > lengthOf(text) ? `${text} ${stretch(FILLER, MARGIN * total)}` : text
  const ofWords = words.join('').length
  const ofOthers = lengthOf(text) - ofWords
  const factor = Math.max(FACTOR, (MARGIN * total - ofOthers) / ofWords)
  const longest = Math.max(...words.map((each) => each.length))
  return mapWords(text, (each) =>
    stretch(each, Math.max(factor * each.length, each.length === longest ? MARGIN * word : 0)),
  )
}

/** Serves the lengthened words to this visitor, whose language must be Arabic. */
export async function lengthenWords(page: Page): Promise<void> {
  await page.context().route('**/locales/ar/*.json', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) as string
    const texts = JSON.parse(readFileSync(join(LOCALES, 'ar', name), 'utf8'))
    await route.fulfill({ json: lengthenAll(texts, name.replace('.json', '')) })
  })
}

/** In letters: of the whole text and of its longest word, in the language that needs most. */
interface Room {
  total: number
  word: number
}

function findRoom(): Map<string, Room> {
  const found = new Map<string, Room>()
  for (const language of LANGUAGES) {
    for (const [fullKey, text] of readTexts(language)) {
      const key = withoutPlural(fullKey)
      const { total, word } = found.get(key) ?? { total: 0, word: 0 }
      const longest = Math.max(...wordsOf(text).map((each) => each.length))
      found.set(key, { total: Math.max(total, lengthOf(text)), word: Math.max(word, longest) })
    }
  }
  return found
}

function collect(value: unknown, key: string, texts: Texts): void {
  if (typeof value === 'string') texts.set(key, value)
  else for (const [name, each] of Object.entries(value as object)) collect(each, `${key}.${name}`, texts)
}

const lengthenAll = (value: unknown, key: string): unknown =>
  typeof value === 'string'
    ? lengthen(key, value)
    : Object.fromEntries(
        Object.entries(value as object).map(([name, each]) => [name, lengthenAll(each, `${key}.${name}`)]),
      )

function stretch(word: string, length: number): string {
  const end = word.search(/[^\p{L}\p{M}]*$/u)
  return word.slice(0, end) + MARKS + STRETCH.repeat(Math.ceil(length - word.length)) + word.slice(end)
}

const mapWords = (text: string, change: (word: string) => string): string =>
  text
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\S*\p{L}\S*/gu, change)))
    .join('')

const hasLetters = (word: string): boolean => /\p{L}/u.test(word)

/** Without placeholders. A line breaks at spaces, and in Chinese, Japanese and Korean anywhere. */
const wordsOf = (text: string): string[] => [
  '',
  ...withoutPlaceholders(text)
    .replace(WIDE, ' ')
    .split(/[\s-]+/),
]

/** In letters. Those of Chinese, Japanese and Korean are twice as wide. */
const lengthOf = (text: string): number => withoutPlaceholders(text).replace(WIDE, '$&$&').length

const withoutPlaceholders = (text: string): string =>
  text
    .split(PLACEHOLDER)
    .filter((_, index) => index % 2 === 0)
    .join(' ')
