/** Accessibility checks by axe-core. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
/** Minified, because the browser compiles it for each page anew. */
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const OPTIONS = { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'], selectors: false }

/**
 * Runs every rule of WCAG 2.2 AA and the best practices on the page. Returns the violations, each with its elements.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(SOURCE)
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`)
}
