/** What shows where of the screens about the site itself. */
import type { RouteObject } from 'react-router'
import { paths } from '../lib/paths.js'
import { later, screen } from './lazy-route.js'

export const siteRoutes: RouteObject[] = [
  {
    path: paths.privacy,
    loader: later(async () => (await import('../features/legal/load.js')).privacyText),
    ...screen('legal', async () => ({ default: (await import('../features/legal/LegalPage.js')).Privacy })),
  },
  {
    path: paths.terms,
    loader: later(async () => (await import('../features/legal/load.js')).termsText),
    ...screen('legal', async () => ({ default: (await import('../features/legal/LegalPage.js')).Terms })),
  },
  {
    path: paths.apiDocs,
    loader: later(async () => (await import('../features/api-docs/load.js')).apiDocument),
    ...screen('api', () => import('../features/api-docs/ApiDocsPage.js')),
  },
  {
    path: paths.stats,
    loader: later(async () => (await import('../features/stats/load.js')).loadStats),
    ...screen('stats', () => import('../features/stats/StatsPage.js')),
  },
]
