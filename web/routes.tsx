/** What shows where. */
import { createBrowserRouter } from 'react-router'
import { Frame } from './parts/Frame.js'
import { paths } from './paths.js'
import { screen } from './screen.js'
import { ErrorScreen } from './screens/ErrorScreen.js'
import { site } from './site.js'

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
              { path: paths.home, ...screen('home', () => import('./screens/home/Home.js')) },
              { path: paths.secret, ...screen('secret', () => import('./screens/secret/Secret.js')) },
              { path: paths.public, ...screen('public', () => import('./screens/public/public.js')) },
              { path: paths.publicOf, ...screen('public', () => import('./screens/public/public.js')) },
              { path: paths.signIn, ...screen('people', () => import('./screens/people/SignIn.js')) },
              { path: paths.signUp, ...screen('people', () => import('./screens/people/SignUp.js')) },
              { path: paths.signOut, ...screen('people', () => import('./screens/people/sign-out.js')) },
              { path: '*', ...screen('common', () => import('./screens/NotFound.js')) },
            ],
          },
        ],
      },
    ],
    {
      basename: site.base || '/',
      // What few people see has a table in a chunk, too: the first screen does without.
      async patchRoutesOnNavigation({ path, patch }) {
        if (/\/(account|setup)/i.test(path)) patch(SCREENS, (await import('./screens/account/routes.js')).accountRoutes)
        if (/\/(privacy|terms|api-docs|stats)/i.test(path))
          patch(SCREENS, (await import('./screens/routes.js')).siteRoutes)
      },
    },
  )
