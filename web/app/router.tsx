/** The routes that every visitor may need. Others are loaded when they are visited. */
import { createBrowserRouter, type RouteObject } from 'react-router'
import { loadPart } from '../lib/lazy-part.js'
import { paths } from '../lib/paths.js'
import { site } from '../lib/site.js'
import { AppLayout } from './AppLayout.js'
import { ErrorPage } from './ErrorPage.js'
import { lazyRoute } from './lazy-route.js'

/** Id of the route that contains all pages. */
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
            children: site.role === 'open' ? openRoutes() : allRoutes(),
          },
        ],
      },
    ],
    {
      basename: site.base || '/',
      // Rarely visited routes have chunks of their own, which the first page does not load. A path with parameters,
      // such as the page of a secret, has its route here already.
      async patchRoutesOnNavigation({ matches: [match], patch }) {
        if (Object.keys(match?.params ?? {}).length > 0) return
        const { lazyRoutes } = await loadPart(() => import('./lazy-routes.js'))
        patch(PAGES, lazyRoutes)
      },
    },
  )

const secretRoute = (): RouteObject => ({
  path: paths.secret,
  ...lazyRoute('reveal', () => import('../features/reveal/RevealPage.js')),
})

/** Of a server with the role `open`. */
const openRoutes = (): RouteObject[] => [
  secretRoute(),
  { path: paths.home, ...lazyRoute('open-host', () => import('../features/open-host/OpenHostPage.js')) },
]

const allRoutes = (): RouteObject[] => [
  secretRoute(),
  { path: paths.home, ...lazyRoute('compose', () => import('../features/compose/ComposePage.js')) },
  { path: paths.public, ...lazyRoute('public', () => import('../features/public/PublicSecretsPage.js')) },
  { path: paths.signIn, ...lazyRoute('auth', () => import('../features/auth/SignInPage.js')) },
]
