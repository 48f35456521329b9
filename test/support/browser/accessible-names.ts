/** The roles, names and states that a screen reader announces. */
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../e2e/browser/accessible-names')

/** Parts that differ from run to run. */
const VARIABLE: [pattern: RegExp, name: string][] = [
  [/\b1[\w-]{40,}/g, 'KEY'],
  [/http:\/\/[^\s"]+/g, 'LINK'],
  [/\bmayfly\.test:\d+|127\.0\.0\.1:\d+|localhost:\d+/g, 'HOST'],
  [/[A-Z][a-z]{2,8} \d{1,2}, \d{4}(, \d{1,2}:\d{2}\s[AP]M)?/g, 'DATE'],
  [/\d+ (second|minute)s? ago|in \d+ (minute|hour|day)s?/g, 'TIME'],
]

/** Compares the accessibility tree of the element with the stored tree of this state. `vitest -u` stores a new tree. */
export async function checkNames(element: Locator, state: string): Promise<void> {
  const tree = await element.ariaSnapshot()
  const stable = VARIABLE.reduce((text, [pattern, name]) => text.replace(pattern, name), tree)
  await expect(`${stable}\n`).toMatchFileSnapshot(join(FOLDER, `${state}.yaml`))
}
