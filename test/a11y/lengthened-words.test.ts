/** The lengthened Arabic words take more room than the words of any language, so that a layout which holds them holds all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { needs } from '#test/needs'
import { LANGUAGES, lengthen, readTexts, withoutPlural } from './lengthened-words.js'

const PLACEHOLDERS = /\{\{.*?\}\}|%\w+%|<\/?\w+>|\$t\(.*?\)/g

describe('lengthened words', needs('chromium'), () => {
  let fixture: BrowserFixture
  /** The widest form of each text, in px, in the font of the site. */
  let measure: (texts: Map<string, string>) => Promise<Map<string, number>>
  beforeAll(async () => {
    fixture = await startBrowserFixture()
    const page = await fixture.newVisitor()
    await page.goto('/lite')
    measure = async (texts) => {
      const widths = await page.evaluate<number[]>(`(() => {
        const context = document.createElement('canvas').getContext('2d')
        context.font = '16px ' + getComputedStyle(document.body).fontFamily
        return ${JSON.stringify([...texts.values()])}.map((text) => context.measureText(text).width)
      })()`)
      const widest = new Map<string, number>()
      for (const [index, key] of [...texts.keys()].map(withoutPlural).entries()) {
        widest.set(key, Math.max(widest.get(key) ?? 0, widths[index] as number))
      }
      return widest
    }
  })
  afterAll(() => fixture.close())

  const arabic = readTexts('ar')
  const lengthened = new Map([...arabic].map(([key, text]) => [key, lengthen(key, text)]))

  test('every text keeps its placeholders', () => {
    const placeholders = (text = '') => (text.match(PLACEHOLDERS) ?? []).sort()
    const changed = [...arabic].filter(
      ([key, text]) => placeholders(text).join() !== placeholders(lengthened.get(key)).join(),
    )
    expect(changed).toEqual([])
  })

  test('every text is at least 40 % wider than in Arabic, but for its placeholders', async () => {
    const strip = (texts: Map<string, string>) =>
      new Map([...texts].map(([key, text]) => [key, text.replaceAll(PLACEHOLDERS, '')]))
    const [before, after] = [await measure(strip(arabic)), await measure(strip(lengthened))]
    const hasWords = (key: string) => /\p{L}/u.test(strip(arabic).get(key) ?? '')
    const narrow = [...before].filter(([key, width]) => hasWords(key) && (after.get(key) ?? 0) < 1.4 * width)
    expect(narrow).toEqual([])
  })

  test.each(LANGUAGES)('every text is at least as wide as in %s', async (language) => {
    const [widths, room] = [await measure(readTexts(language)), await measure(lengthened)]
    const narrower = [...widths].filter(([key, width]) => (room.get(key) ?? 0) < width)
    expect(narrower.map(([key, width]) => `${key}: ${room.get(key)} < ${width}`)).toEqual([])
  })
})
