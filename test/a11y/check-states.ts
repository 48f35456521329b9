/**
 * No screen, in no state, theme, direction or width, breaks a rule that a program can check. There is no list of
 * exceptions. States are opened by turns in French, which has longer words than English, and in lengthened Arabic
 * words. The layout of each is checked in both directions.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations } from '#test/browser/axe'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import type { OpenState } from '#test/browser/page-actions'
import { NO_UPLOAD_LIMITS } from '#test/browser/test-files'
import { needs } from '#test/needs'
import { REQUESTS_FOR_ANYONE } from '#test/start-server'
import { lengthenWords } from './lengthened-words.js'
import { leaveDocument, leaveScreen } from './visit.js'

const HEIGHT = 900
const DESKTOP = 1280
/**
 * As wide as the smallest phones, and as a window of 1280 px at 400 %. A state is opened on the phone, and stays open
 * when the window grows.
 */
const PHONE = 320
/** Their background colors. Themes differ in nothing but colors. */
const THEMES = { light: 'oklch(0.985 0.004 275)', dark: 'oklch(0.17 0.012 275)' }
/** Minimum width and height of everything that can be pressed, in px: WCAG 2.2, 2.5.8. */
const TARGET = 24
/** Maximum space between the text of a field and the buttons in it, in px. */
const MARGIN = 24

type Theme = keyof typeof THEMES

interface Language {
  name: string
  locale: string
  direction: Direction
  prepare?(page: Page): Promise<void>
}

type Direction = 'ltr' | 'rtl'

const LANGUAGES: Language[] = [
  { name: 'French', locale: 'fr', direction: 'ltr' },
  { name: 'lengthened Arabic', locale: 'ar', direction: 'rtl', prepare: lengthenWords },
]

/** Language, width and theme in which a state is checked. */
interface View {
  language: Language
  width: number
  theme: Theme
}

/**
 * A state is opened in one of three ways: by `visit`, in the app that the previous state left; by `load`, in a document
 * of its own, when it changes the document or data that the app reads at its start only; by `next`, on the screen of
 * the previous state.
 */
type State = OpenState | { load: OpenState } | { next: OpenState }

interface Case {
  name: string
  open: OpenState
  view: View
}

/** States that follow one another on the same screen. */
interface Group {
  cases: Case[]
  hasOwnDocument: boolean
  language: Language
}

function groupStates(states: Record<string, State>): Group[] {
  const groups: Group[] = []
  for (const [index, [name, state]] of Object.entries(states).entries()) {
    if (typeof state === 'function' || 'load' in state) {
      const language = LANGUAGES[groups.length % 2] as Language
      groups.push({ cases: [], hasOwnDocument: typeof state === 'object', language })
    }
    const open = typeof state === 'function' ? state : 'load' in state ? state.load : state.next
    const { cases, language } = groups.at(-1) as Group
    cases.push({ name, open, view: chooseView(language, index) })
  }
  return groups
}

/** Eight groups of one state in a row have every combination of language, theme and width. */
function chooseView(language: Language, state: number): View {
  return {
    language,
    theme: (state >> 1) % 2 === 0 ? 'light' : 'dark',
    width: (state >> 2) % 2 === 0 ? PHONE : DESKTOP,
  }
}

/** A folder for pictures of every state; none by default. */
const PICTURES = process.env.MAYFLY_PICTURES

/** Defines a test for each group of states. Groups of one language share a page. */
export function checkStates(area: string, states: Record<string, State>): void {
  describe(`accessibility of ${area}`, needs('chromium'), () => {
    let fixture: BrowserFixture
    const pages = new Map<Language, Page>()
    /** Pages with a document that the next group can not use. */
    const spent = new Set<Page>()
    beforeAll(async () => {
      fixture = await startBrowserFixture({ env: NO_UPLOAD_LIMITS, settings: [REQUESTS_FOR_ANYONE] })
      for (const language of LANGUAGES) {
        const page = await openVisitor(language, fixture)
        pages.set(language, page)
        spent.add(page)
      }
      if (PICTURES) mkdirSync(PICTURES, { recursive: true })
    })
    afterAll(() => fixture.close())

    const tests = groupStates(states).map((group) => ({ group, title: group.cases.map(({ name }) => name).join('; ') }))
    test.each(tests)('$title', async ({ group: { cases, hasOwnDocument, language } }) => {
      const page = pages.get(language) as Page
      if (hasOwnDocument || spent.has(page)) await leaveDocument(page)
      else await leaveScreen(page)
      spent.add(page)
      await page.emulateMedia({ colorScheme: cases[0]?.view.theme ?? null })
      for (const { name, open, view } of cases) {
        try {
          await resize(page, PHONE)
          await open(page, fixture)
          await checkPage(page, view, name)
        } catch (error) {
          throw new Error(`${name}, in ${view.language.name}`, { cause: error })
        }
      }
      if (!hasOwnDocument) spent.delete(page)
    })
  })
}

async function openVisitor({ locale, prepare }: Language, fixture: BrowserFixture): Promise<Page> {
  const page = await fixture.newVisitor({ locale })
  await prepare?.(page)
  return page
}

async function checkPage(page: Page, view: View, name: string): Promise<void> {
  const { language, width: lastWidth, theme } = view
  expect(await page.locator('html').getAttribute('dir')).toBe(language.direction)
  const otherWidth = lastWidth === PHONE ? DESKTOP : PHONE
  const otherDirection = language.direction === 'ltr' ? 'rtl' : 'ltr'
  // Ends in the view that axe looks at.
  for (const width of [otherWidth, lastWidth]) {
    await resize(page, width)
    for (const direction of [otherDirection, language.direction] as const) {
      const found = await page.evaluate<string[]>(`document.documentElement.dir = '${direction}'; ${LAYOUT_PROBLEMS}`)
      expect(found, `${width} px, ${direction}`).toEqual([])
      if (PICTURES) await takePictures(page, [language.locale, direction, String(width), name])
    }
  }
  await page.emulateMedia({ colorScheme: theme })
  expect(await page.evaluate(BACKGROUND)).toBe(THEMES[theme])
  expect(await axeViolations(page), `${lastWidth} px, ${theme}`).toEqual([])
}

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: HEIGHT })

async function takePictures(page: Page, names: string[]): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.screenshot({ path: join(PICTURES as string, `${[...names, theme].join('-')}.png`), fullPage: true })
  }
}

const BACKGROUND = 'getComputedStyle(document.body).backgroundColor'

/**
 * Layout problems with their element: the page or the content of a dialog is too wide, a target is too small, a button
 * covers the text of a field, the text of a field ends far from its buttons, or text is cut. Text that users wrote may
 * be cut: `translate=no`.
 */
const LAYOUT_PROBLEMS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const all = (selector) => [...document.querySelectorAll(selector)]
  const describe = (problem) => (element) => problem + ': ' + element.outerHTML.slice(0, 200)
  const smallTargets = all('a, button, input, select, textarea, summary')
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.skip, input[type=checkbox]'))
    .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < ${TARGET})
  const coveredFields = all('.with-buttons > input').filter((input) => {
    const { left, right } = input.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(input)
    const buttons = input.nextElementSibling.getBoundingClientRect()
    return buttons.left < right - parseFloat(paddingRight) && buttons.right > left + parseFloat(paddingLeft)
  })
  const narrowFields = all('.with-buttons > input').filter((input) => {
    const { left, right } = input.getBoundingClientRect()
    const { direction, paddingLeft, paddingRight } = getComputedStyle(input)
    const buttons = input.nextElementSibling.getBoundingClientRect()
    const unused = direction === 'rtl' ? parseFloat(paddingLeft) - (buttons.right - left) : parseFloat(paddingRight) - (right - buttons.left)
    return unused > ${MARGIN}
  })
  const cutTexts = all('body *')
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((each) => !each.closest('[translate=no], .only-read, .skip, option, textarea'))
    .filter((each) => ['hidden', 'clip'].includes(getComputedStyle(each).overflowX))
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  const wideDialogs = all('dialog[open]').filter((each) => each.scrollWidth > each.clientWidth)
  return [
    ...(scrollWidth === clientWidth ? [] : ['the page is ' + (scrollWidth - clientWidth) + ' px too wide']),
    ...wideDialogs.map(describe('dialog is too narrow for its content')),
    ...smallTargets.map(describe('target is too small')),
    ...coveredFields.map(describe('button covers the field')),
    ...narrowFields.map(describe('field has an empty margin')),
    ...cutTexts.map(describe('text is cut')),
  ]
})()`
