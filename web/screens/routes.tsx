/** What shows where of the screens about the site itself. */
import type { RouteObject } from 'react-router'
import { paths } from '../paths.js'
import { later, screen } from '../screen.js'

export const siteRoutes: RouteObject[] = [
  {
    path: paths.privacy,
    loader: later(async () => (await import('./legal/load.js')).privacyText),
    ...screen('legal', async () => ({ default: (await import('./legal/Legal.js')).Privacy })),
  },
  {
    path: paths.terms,
    loader: later(async () => (await import('./legal/load.js')).termsText),
    ...screen('legal', async () => ({ default: (await import('./legal/Legal.js')).Terms })),
  },
  {
    path: paths.apiDocs,
    loader: later(async () => (await import('./api-docs/load.js')).apiDocument),
    ...screen('api', () => import('./api-docs/ApiDocs.js')),
  },
  {
    path: paths.stats,
    loader: later(async () => (await import('./stats/load.js')).loadStats),
    ...screen('stats', () => import('./stats/Stats.js')),
  },
]
