/** Hue presets in a real browser. `plugins/web/hue.test.ts` computes the contrast of every hue. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HUE_PRESETS } from '#plugins/web/hue'
import { axeViolations } from '#test/browser/axe'
import { type BrowserFixture, startBrowserFixture } from '#test/browser/browser-fixture'
import { waitForComposer } from '#test/browser/page-actions'
import { needs } from '#test/needs'

const PAGES = ['/', '/lite']
const THEMES = ['light', 'dark'] as const
const BUTTON_COLOR = `getComputedStyle([...document.querySelectorAll('button')]
  .find(({ textContent }) => textContent.includes('Create link'))).backgroundColor`

describe('hue presets', needs('chromium'), () => {
  let fixture: BrowserFixture
  beforeAll(async () => {
    fixture = await startBrowserFixture({ env: { MAYFLY_WEB_HUE: 'green' } })
  })
  afterAll(() => fixture.close())

  test.each(PAGES)('%s has the configured hue, and each preset passes axe in both themes', async (path) => {
    const page = await fixture.newVisitor()
    await page.goto(path)
    await waitForComposer(page)
    const color = () => page.evaluate<string>(BUTTON_COLOR)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await color()).toBe(`oklch(0.47 0.19 ${HUE_PRESETS.green})`)
    for (const [name, hue] of Object.entries(HUE_PRESETS)) {
      await page.evaluate(`document.documentElement.style.setProperty('--hue', '${hue}')`)
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme })
        expect(await color(), `${name}, ${theme}`).toContain(` ${hue})`)
        expect(await axeViolations(page), `${name}, ${theme}`).toEqual([])
      }
    }
    expect(fixture.takeErrors()).toEqual([])
  })
})
