/** What shows where. */
import { createBrowserRouter } from 'react-router'
import { paths } from '../lib/paths.js'
import { site } from '../lib/site.js'
import { Frame } from './AppLayout.js'
import { ErrorScreen } from './ErrorPage.js'
import { screen } from './lazy-route.js'

/** Of the route that all screens are below. */
const SCREENS = 'screens'

export const createRouter = () =>
  createBrowserRouter(
    [
      {
        element: <Frame />,
        errorElement: <ErrorScreen />,
        children: [
          {
            id: SCREENS,
            errorElement: <ErrorScreen />,
            children: [
              { path: paths.home, ...screen('home', () => import('../features/compose/ComposePage.js')) },
              { path: paths.secret, ...screen('secret', () => import('../features/reveal/RevealPage.js')) },
              { path: paths.public, ...screen('public', () => import('../features/public/public.js')) },
              { path: paths.publicOf, ...screen('public', () => import('../features/public/public.js')) },
              { path: paths.signIn, ...screen('people', () => import('../features/auth/SignInPage.js')) },
              { path: paths.signUp, ...screen('people', () => import('../features/auth/SignUpPage.js')) },
              { path: paths.signOut, ...screen('people', () => import('../features/auth/sign-out-page-barrel.js')) },
              { path: '*', ...screen('common', () => import('./NotFoundPage.js')) },
            ],
          },
        ],
      },
    ],
    {
      basename: site.base || '/',
      // What few people see has a table in a chunk, too: the first screen does without.
      async patchRoutesOnNavigation({ path, patch }) {
        if (/\/(account|setup)/i.test(path)) patch(SCREENS, (await import('./account-routes.js')).accountRoutes)
        if (/\/(privacy|terms|api-docs|stats)/i.test(path))
          patch(SCREENS, (await import('./site-routes.js')).siteRoutes)
      },
    },
  )
