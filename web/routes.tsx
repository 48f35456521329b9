/** What shows where. Each screen is a chunk of its own, together with its words. */
import type { ComponentType } from 'react'
import { createBrowserRouter, type LoaderFunction, type RouteObject } from 'react-router'
import { loadWords } from './i18n.js'
import { Frame } from './parts/Frame.js'
import { paths } from './paths.js'
import { ErrorScreen } from './screens/ErrorScreen.js'
import { NotFound } from './screens/NotFound.js'
import { site } from './site.js'

export const createRouter = () =>
  createBrowserRouter(
    [
      {
        element: <Frame />,
        errorElement: <ErrorScreen />,
        hydrateFallbackElement: <Frame isStarting />,
        children: [
          {
            errorElement: <ErrorScreen />,
            children: [
              { path: paths.home, ...screen('home', () => import('./screens/home/Home.js')) },
              { path: paths.secret, ...screen('secret', () => import('./screens/secret/Secret.js')) },
              {
                path: paths.public,
                loader: later(async () => (await import('./screens/public/load.js')).publicSecrets),
                ...screen('public', () => import('./screens/public/Public.js')),
              },
              {
                path: paths.publicOf,
                loader: later(async () => (await import('./screens/public/load.js')).publicSecrets),
                ...screen('public', () => import('./screens/public/Public.js')),
              },
              { path: paths.signIn, ...screen('people', () => import('./screens/people/SignIn.js')) },
              { path: paths.signUp, ...screen('people', () => import('./screens/people/SignUp.js')) },
              { path: paths.signOut, ...screen('people', () => import('./screens/people/sign-out.js')) },
              {
                path: paths.privacy,
                loader: later(async () => (await import('./screens/legal/load.js')).privacyText),
                ...screen('legal', async () => ({ default: (await import('./screens/legal/Legal.js')).Privacy })),
              },
              {
                path: paths.terms,
                loader: later(async () => (await import('./screens/legal/load.js')).termsText),
                ...screen('legal', async () => ({ default: (await import('./screens/legal/Legal.js')).Terms })),
              },
              {
                path: paths.apiDocs,
                loader: later(async () => (await import('./screens/api-docs/load.js')).apiDocument),
                ...screen('api', () => import('./screens/api-docs/ApiDocs.js')),
              },
              {
                path: paths.stats,
                loader: later(async () => (await import('./screens/stats/load.js')).loadStats),
                ...screen('stats', () => import('./screens/stats/Stats.js')),
              },
              { path: '*', element: <NotFound /> },
            ],
          },
        ],
      },
    ],
    { basename: site.base || '/' },
  )

/** A loader that is fetched beside its screen, so that neither the first screen nor the data waits. */
const later =
  (load: () => Promise<LoaderFunction>): LoaderFunction =>
  async (args) =>
    (await load())(args)

/** A screen may bring its loader along. */
function screen(
  namespace: string,
  load: () => Promise<{ default: ComponentType; loader?: LoaderFunction }>,
): Pick<RouteObject, 'lazy'> {
  return {
    lazy: async () => {
      const [{ default: Component, loader }] = await Promise.all([load(), loadWords(namespace)])
      return { Component, ...(loader && { loader }) }
    },
  }
}
