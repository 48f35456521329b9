/** Routes of the pages about the site. */
import type { RouteObject } from 'react-router'
import { paths } from '../lib/paths.js'
import { lazyRoute } from './lazy-route.js'

export const siteRoutes: RouteObject[] = [
  { path: paths.privacy, ...lazyRoute('legal', () => import('../features/legal/PrivacyPage.js')) },
  { path: paths.terms, ...lazyRoute('legal', () => import('../features/legal/TermsPage.js')) },
  { path: paths.apiDocs, ...lazyRoute('api', () => import('../features/api-docs/ApiDocsPage.js')) },
  { path: paths.stats, ...lazyRoute('stats', () => import('../features/stats/StatsPage.js')) },
]
