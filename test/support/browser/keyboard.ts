/** Somebody who has nothing but a keyboard. */
import type { Locator } from 'playwright-core'

/** More stops than any page has. */
const STOPS = 150

/** Presses Tab until the target has the focus. Rejects when it never has, and when a stop on the way there cannot be seen. */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page()
  await target.waitFor()
  const reached = target.and(page.locator(':focus'))
  for (let stops = 0; stops < STOPS; stops++) {
    if ((await reached.count()) > 0) return
    await page.keyboard.press('Tab')
    const unseen = await page.evaluate<string | null>(UNSEEN)
    if (unseen) throw new Error(`has the focus and cannot be seen: ${unseen}`)
  }
  throw new Error(`no Tab leads to ${target}`)
}

/** Goes there, and presses what the keyboard has for it. */
export async function pressKeyOn(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Goes there, and types in the place of what is there. */
export async function typeInto(target: Locator, text: string): Promise<void> {
  await pressKeyOn(target, 'Control+A')
  await target.page().keyboard.type(text)
}

/** What has the focus when it has no outline, or when all of it lies outside of the window or under something else; else null. */
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
