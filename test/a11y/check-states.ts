/**
 * No screen, in no state, theme, direction or width, breaks a rule that a program can check. There is no list of exceptions.
 * Each state is opened in French, which has longer words than English, and in lengthened Arabic words from right to left.
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

const HEIGHT = 900
/** In px. A state is opened on the phone: what is open there stays open when the window grows. */
const PHONE = 360
const DESKTOP = 1280
/** 1280 px at 400 %. */
const NARROWEST = 320
/** Their background colors. Themes differ in nothing but colors. */
const THEMES = { light: 'oklch(0.985 0.004 275)', dark: 'oklch(0.17 0.012 275)' }
/** Minimum width and height of everything that can be pressed, in px: WCAG 2.2, 2.5.8. */
const TARGET = 24
/** Maximum space between the text of a field and the buttons in it, in px. */
const MARGIN = 24

type Theme = keyof typeof THEMES

interface Pass {
  name: string
  locale: string
  direction: 'ltr' | 'rtl'
  /** The theme in which axe looks at the phone; it looks at the desktop in the other one. */
  phoneTheme: Theme
  prepare?(page: Page): Promise<void>
}

/** Between them axe sees every theme at every width, and every language in every theme. */
const PASSES: Pass[] = [
  { name: 'French', locale: 'fr', direction: 'ltr', phoneTheme: 'light' },
  { name: 'lengthened Arabic', locale: 'ar', direction: 'rtl', phoneTheme: 'dark', prepare: lengthenWords },
]

/** A folder for pictures of every state; none by default. */
const PICTURES = process.env.MAYFLY_PICTURES

/** Defines a test for each state in each language. */
export function checkStates(area: string, states: Record<string, OpenState>): void {
  describe(`accessibility of ${area}`, needs('chromium'), () => {
    let fixture: BrowserFixture
    beforeAll(async () => {
      fixture = await startBrowserFixture({ env: NO_UPLOAD_LIMITS, settings: [REQUESTS_FOR_ANYONE] })
      if (PICTURES) mkdirSync(PICTURES, { recursive: true })
    })
    afterAll(() => fixture.close())

    const cases = PASSES.flatMap((pass) => Object.entries(states).map(([name, open]) => ({ name, open, pass })))
    test.concurrent.each(cases)('$name, in $pass.name', async ({ name, open, pass }) => {
      const page = await takeVisitor(pass, fixture)
      await open(page, fixture)
      await checkPage(page, pass, name)
      await returnVisitor(page, pass)
    })
  })
}

/** Visitors that wait for the next state: opening a page in a browser that has the scripts takes half the time. */
const idleVisitors = new Map<Pass, Page[]>(PASSES.map((pass) => [pass, []]))

/** A page without cookies and storage, as large as a phone. */
async function takeVisitor(pass: Pass, fixture: BrowserFixture): Promise<Page> {
  const idle = idleVisitors.get(pass)?.pop()
  const page = idle ?? (await fixture.newVisitor({ locale: pass.locale }))
  if (!idle) await pass.prepare?.(page)
  await page.emulateMedia({ colorScheme: pass.phoneTheme })
  await resize(page, PHONE)
  return page
}

/** After a state that passed. The page of one that failed is not used again. */
async function returnVisitor(page: Page, pass: Pass): Promise<void> {
  await page.evaluate(`localStorage.clear()
    sessionStorage.clear()
    // Leaves without asking.
    BeforeUnloadEvent.prototype.preventDefault = () => {}
    Object.defineProperty(BeforeUnloadEvent.prototype, 'returnValue', { set() {} })`)
  // Ends requests that are under way, whose responses would set or delete cookies of the next state.
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().clearCookies()
  idleVisitors.get(pass)?.push(page)
}

async function checkPage(page: Page, { locale, direction, phoneTheme }: Pass, name: string): Promise<void> {
  expect(await page.locator('html').getAttribute('dir')).toBe(direction)
  await resize(page, NARROWEST)
  expect(await page.evaluate<number>(OVERFLOW), `${NARROWEST} px`).toBe(0)
  const desktopTheme = phoneTheme === 'light' ? 'dark' : 'light'
  for (const [width, axeTheme, otherTheme] of [
    [PHONE, phoneTheme, desktopTheme],
    [DESKTOP, desktopTheme, phoneTheme],
  ] as const) {
    await resize(page, width)
    expect(await page.evaluate<string[]>(LAYOUT_PROBLEMS), `${width} px`).toEqual([])
    for (const theme of [otherTheme, axeTheme]) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await page.evaluate(BACKGROUND)).toBe(THEMES[theme])
      if (PICTURES) await takePicture(page, [locale, String(width), theme, name])
    }
    expect(await axeViolations(page), `${width} px, ${axeTheme}`).toEqual([])
  }
}

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: HEIGHT })

const takePicture = (page: Page, name: string[]) =>
  page.screenshot({ path: join(PICTURES as string, `${name.join('-')}.png`), fullPage: true })

const BACKGROUND = 'getComputedStyle(document.body).backgroundColor'

/** By how much the page is wider than its window, in px. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/**
 * Layout problems with their element: the page is wider than the window, a target is too small, a button covers the text of a field, the text of a
 * field ends far from its buttons, or text is cut.
 * Text that users wrote may be cut: `translate=no`.
 */
const LAYOUT_PROBLEMS = `(() => {
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
  const overflow = ${OVERFLOW}
  return [
    ...(overflow === 0 ? [] : ['the page is ' + overflow + ' px too wide']),
    ...smallTargets.map(describe('target is too small')),
    ...coveredFields.map(describe('button covers the field')),
    ...narrowFields.map(describe('field has an empty margin')),
    ...cutTexts.map(describe('text is cut')),
  ]
})()`
