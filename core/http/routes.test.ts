/**
 * The list of all routes in routes/README.md, so that a change of an access rule or rate limit shows up in a review.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RULES, type Window } from '../rate-limits/rate-limit-policies.js'
import { routes } from './routes/index.js'
import type { Route, RouteConfig } from './routes/route.js'

const README = join(import.meta.dirname, 'routes/README.md')
const UNITS: [ms: number, name: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]

// `npx vitest run --project fast core/http/routes.test.ts -u` rewrites the table.
test('V2.4.1: routes/README.md lists every route with its access rules, rate limits and roles', async () => {
  const rows = routes({ statsFor: 'anyone' } as RouteConfig).map(
    (route) =>
      `| ${route.method} | \`${route.path}\` | ${describeAccess(route)} | ${describeLimits(route)} | ${route.isOpen ? 'yes' : ''} |`,
  )
  const [before = '', , after = ''] = readFileSync(README, 'utf8').split(/(?<=<!-- routes -->\n)|(?=<!-- \/routes -->)/)
  const table = ['| method | path | access | rate limits | role `open` |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  )
  await expect(before + table + after).toMatchFileSnapshot(README)
})

function describeAccess({ requires, allowAnonymous, sameOrigin, whileRestricted, proof }: Route): string {
  const access = requires ? `\`${requires}\`` : 'everyone'
  const rules = [
    access,
    allowAnonymous && 'or anonymous',
    sameOrigin && `same origin: ${sameOrigin}`,
    proof && `proof: ${proof}`,
    whileRestricted && 'also while restricted',
  ]
  return rules.filter(Boolean).join(', ')
}

function describeLimits({ limit }: Route): string {
  return limit ? `\`${limit}\`: ${RULES[limit].map(describeWindow).join(', ')}` : 'none'
}

function describeWindow({ by, limit, windowMs, anonymousOnly }: Window): string {
  const [ms, unit] = UNITS.find(([length]) => windowMs % length === 0) ?? [1, 'ms']
  const window = windowMs === ms ? unit : `${windowMs / ms} ${unit}s`
  return `${limit} per ${window} per ${anonymousOnly ? 'anonymous ' : ''}${by}`
}
