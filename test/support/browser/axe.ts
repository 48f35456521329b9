/** Accessibility checks by axe-core. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
/** Minified, because the browser compiles it for each page anew. */
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
/** Axe parses the same few colors for every element, which takes as long as all else. */
const REMEMBER_COLORS = `{
  const { prototype } = axe.commons.color.Color
  const parse = prototype.parseString
  const colors = new Map()
  prototype.parseString = function (text) {
    if (!colors.has(text)) {
      const { r, g, b, alpha } = parse.call(this, text)
      colors.set(text, { r, g, b, alpha })
    }
    return Object.assign(this, colors.get(text))
  }
}`
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const OPTIONS = { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'], selectors: false }

/**
 * Runs every rule of WCAG 2.2 AA and the best practices on the page. Returns the violations, each with its elements.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(SOURCE + REMEMBER_COLORS)
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`)
}
