/** What shows where. Each screen is a chunk of its own, together with its words. */
import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { loadWords } from './i18n.js'
import { Frame } from './parts/Frame.js'
import { paths } from './paths.js'
import { ErrorScreen } from './screens/ErrorScreen.js'
import { NotFound } from './screens/NotFound.js'
import { publicSecrets } from './screens/public/load.js'

export const createRouter = () =>
  createBrowserRouter([
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
              loader: publicSecrets,
              ...screen('public', () => import('./screens/public/Public.js')),
            },
            {
              path: paths.publicOf,
              loader: publicSecrets,
              ...screen('public', () => import('./screens/public/Public.js')),
            },
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ])

function screen(namespace: string, load: () => Promise<{ default: ComponentType }>): Pick<RouteObject, 'lazy'> {
  return {
    lazy: async () => {
      const [{ default: Component }] = await Promise.all([load(), loadWords(namespace)])
      return { Component }
    },
  }
}
