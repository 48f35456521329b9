/** What shows where. */
import { createBrowserRouter } from 'react-router'
import { paths } from '../lib/paths.js'
import { site } from '../lib/site.js'
import { AppLayout } from './AppLayout.js'
import { ErrorPage } from './ErrorPage.js'
import { lazyRoute } from './lazy-route.js'

/** Of the route that all screens are below. */
const PAGES = 'screens'

export const createRouter = () =>
  createBrowserRouter(
    [
      {
        element: <AppLayout />,
        errorElement: <ErrorPage />,
        children: [
          {
            id: PAGES,
            errorElement: <ErrorPage />,
            children: [
              { path: paths.home, ...lazyRoute('home', () => import('../features/compose/ComposePage.js')) },
              { path: paths.secret, ...lazyRoute('secret', () => import('../features/reveal/RevealPage.js')) },
              { path: paths.public, ...lazyRoute('public', () => import('../features/public/PublicSecretsPage.js')) },
              { path: paths.publicOf, ...lazyRoute('public', () => import('../features/public/PublicSecretsPage.js')) },
              { path: paths.signIn, ...lazyRoute('people', () => import('../features/auth/SignInPage.js')) },
              { path: paths.signUp, ...lazyRoute('people', () => import('../features/auth/SignUpPage.js')) },
              { path: paths.signOut, ...lazyRoute('people', () => import('../features/auth/SignOutPage.js')) },
              { path: '*', ...lazyRoute('common', () => import('./NotFoundPage.js')) },
            ],
          },
        ],
      },
    ],
    {
      basename: site.base || '/',
      // What few people see has a table in a chunk, too: the first screen does without.
      async patchRoutesOnNavigation({ path, patch }) {
        if (/\/(account|setup)/i.test(path)) patch(PAGES, (await import('./account-routes.js')).accountRoutes)
        if (/\/(privacy|terms|api-docs|stats)/i.test(path)) patch(PAGES, (await import('./site-routes.js')).siteRoutes)
      },
    },
  )
