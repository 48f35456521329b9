/** No screen, in no state, in no theme, direction or width, has a barrier that a machine can find. There is no list of exceptions. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBarriers, inChromium, type Stage, setStage } from '#test/browser/browser-fixture'
import { ROOM } from '#test/browser/test-files'
import { STATES } from './states.js'

/** In px, the phone first: what opened there is still open when the window grows. */
const WIDTHS = [360, 1280] as const
const HEIGHT = 900
/** 1280 px at 400 %. */
const NARROWEST = 320
/** Their backgrounds. Nothing but the colours differs between them. */
const THEMES = { light: 'rgb(249, 250, 253)', dark: 'rgb(14, 15, 21)' }
/** Least side of anything to press, in px: WCAG 2.2, 2.5.8. */
const TARGET = 24

/** A folder for a picture of every screen; none unless it is set. */
const PICTURES = process.env.MAYFLY_PICTURES

/** Defines a test for every state of every screen, which a browser of this language visits. */
export function tryEveryState(language: string, direction: 'ltr' | 'rtl'): void {
  inChromium(`every state in ${language}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await setStage({ env: ROOM })
      if (PICTURES) mkdirSync(PICTURES, { recursive: true })
    })
    afterAll(() => stage.close())

    test.each(Object.entries(STATES))(
      '%s',
      async (name, reach) => {
        const page = await stage.visit({ locale: language, viewport: { width: WIDTHS[0], height: HEIGHT } })
        await reach(page, stage)
        expect(await page.locator('html').getAttribute('dir')).toBe(direction)
        await page.setViewportSize({ width: NARROWEST, height: HEIGHT })
        expect(await overflow(page), `${NARROWEST} px`).toBe(0)
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT })
          expect(await overflow(page)).toBe(0)
          expect(await smallTargets(page)).toEqual([])
          expect(await coveredFields(page)).toEqual([])
          for (const [theme, background] of Object.entries(THEMES)) {
            await page.emulateMedia({ colorScheme: theme as 'light' | 'dark' })
            expect(await page.locator('body').evaluate(backgroundOf)).toBe(background)
            if (PICTURES) {
              const path = join(PICTURES, `${language}-${width}-${theme}-${name}.png`)
              await page.screenshot({ path, fullPage: true })
            }
            const barriers = await findBarriers(page, { inColoursOnly: theme === 'dark' })
            expect(barriers, `${width} px, ${theme}`).toEqual([])
          }
        }
        // What is still asked for when the page closes is nobody's failure.
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.context().close()
      },
      60_000,
    )
  })
}

// Runs in the page.
declare function getComputedStyle(element: unknown): { backgroundColor: string }
const backgroundOf = (element: unknown): string => getComputedStyle(element).backgroundColor

/** By how much the page is wider than its window, in px. */
const overflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

const smallTargets = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.skip, input[type=checkbox]'))
    .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < ${TARGET})
    .map((each) => each.outerHTML)`)

/** Where a button lies over what is typed. */
const coveredFields = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.with-buttons > input')].filter((input) => {
    const { left, right } = input.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(input)
    const buttons = input.nextElementSibling.getBoundingClientRect()
    return buttons.left < right - parseFloat(paddingRight) && buttons.right > left + parseFloat(paddingLeft)
  }).map((each) => each.outerHTML)`)
