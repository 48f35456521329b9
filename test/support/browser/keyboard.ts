/** Steps by keyboard alone. */
import type { Locator } from 'playwright-core'

/** More tab stops than any page has. */
const STOPS = 150

/**
 * Presses Tab until the target has the focus. Rejects when it never does, and when an element on the way is not
 * visible.
 */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page()
  await target.waitFor()
  const reached = target.and(page.locator(':focus'))
  for (let stops = 0; stops < STOPS; stops++) {
    if ((await reached.count()) > 0) return
    await page.keyboard.press('Tab')
    const unseen = await page.evaluate<string | null>(UNSEEN)
    if (unseen) throw new Error(`the focused element is not visible: ${unseen}`)
  }
  throw new Error(`Tab does not reach ${target}`)
}

/**
 * Tabs to the target and presses a key, as soon as the target is enabled: the button of a dialog may wait for what the
 * dialog loads. On the target itself, in case the page moves the focus between both, as it does a moment after a dialog
 * was closed.
 */
export async function pressKeyOn(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target)
  await target.and(target.page().locator(':not([aria-disabled=true])')).press(key)
}

/** Tabs to the field and replaces its text. */
export async function typeInto(target: Locator, text: string): Promise<void> {
  await pressKeyOn(target, 'Control+A')
  await target.page().keyboard.type(text)
}

/** The focused element if it has no outline, or is entirely outside the window or covered; else null. */
const UNSEEN = `(() => {
  const at = document.activeElement
  if (at === document.body) return null
  const { left, top, right, bottom } = at.getBoundingClientRect()
  const [x, y, x2, y2] = [Math.max(left, 0), Math.max(top, 0), Math.min(right, innerWidth), Math.min(bottom, innerHeight)]
  const isAt = (part) => {
    const there = document.elementFromPoint(x + (x2 - x) * part, y + (y2 - y) * part)
    return there !== null && (at.contains(there) || there.contains(at))
  }
  const isThere = x < x2 && y < y2 && [0.5, 0.1, 0.9].some(isAt)
  const hasOutline = [at, at.parentElement].some((each) => getComputedStyle(each).outlineStyle !== 'none')
  return isThere && hasOutline ? null : at.outerHTML.slice(0, 200)
})()`
