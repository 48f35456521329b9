/**
 * Every screen in words that are 40 % longer and accented all over, and in the language of the site that takes most room:
 * nothing is cut off, nothing grows out of the window of a phone.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inChromium, type Stage, setStage } from '#test/browser/browser-fixture'
import { ROOM } from '#test/browser/test-files'
import { ROOT } from '#test/source-files'
import { STATES } from './states.js'

const ACCENTED: Record<string, string> = {
  a: 'áa',
  e: 'éè',
  i: 'îí',
  o: 'öø',
  u: 'üů',
  A: 'Å',
  E: 'É',
  O: 'Ø',
  n: 'ñ',
  s: 'š',
  c: 'ç',
}

/** Blanks stay as they are: they are filled in later. */
const accented = (text: string): string =>
  text
    .split(/(\{\{.*?\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-zA-Z]/g, (letter) => ACCENTED[letter] ?? letter)))
    .join('')

const throughout = (words: unknown): unknown =>
  typeof words === 'string'
    ? accented(words)
    : Object.fromEntries(Object.entries(words as object).map(([key, value]) => [key, throughout(value)]))

const LOCALES = join(ROOT, 'web/locales')
const lengthOf = (language: string): number =>
  readdirSync(join(LOCALES, language)).reduce(
    (sum, name) => sum + readFileSync(join(LOCALES, language, name), 'utf8').length,
    0,
  )
const longest = readdirSync(LOCALES).reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one))

const asItIs = async () => {}
const withAccents = (page: Page) =>
  page.route('**/locales/en/*.json', async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: throughout(await response.json()) })
  })

inChromium('where words take more room', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage({ env: ROOM })
  })
  afterAll(() => stage.close())

  describe.each([
    { words: 'accented', locale: 'en', prepare: withAccents },
    { words: `in ${longest}`, locale: longest, prepare: asItIs },
  ])('$words', ({ locale, prepare }) => {
    test.each(Object.entries(STATES))('%s', async (_, reach) => {
      const page = await stage.visit({ locale, viewport: { width: 360, height: 900 } })
      await prepare(page)
      await reach(page, stage)
      expect(await overflow(page)).toBe(0)
      expect(await cut(page)).toEqual([])
      // What is still asked for when the page closes is nobody's failure.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().close()
    })
  })
})

const overflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Texts of which not all can be seen. What people wrote may be cut: `translate=no`. */
const cut = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((each) => !each.closest('[translate=no], .only-read, .skip, option, textarea'))
    .filter((each) => ['hidden', 'clip'].includes(getComputedStyle(each).overflowX))
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.outerHTML.slice(0, 200))`)
