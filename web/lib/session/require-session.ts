/** Loaders and hooks of pages that require a session. */
import { type LoaderFunction, type LoaderFunctionArgs, redirect, useRouteLoaderData } from 'react-router'
import type { Account } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { requestJson } from '../api.js'
import { paths } from '../paths.js'
import { site } from '../site.js'
import { SESSION_ENDED_PATH } from './session-ended.js'
import { sessionStore } from './session-store.js'

/** The id of the route whose loader is `loadAccount`. */
export const ACCOUNT_ROUTE_ID = 'account'

/** The account of the user. For pages below the account route. */
export const useAccount = () => useRouteLoaderData(ACCOUNT_ROUTE_ID) as Account

/** Not signed in, session ended, or users are turned off. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.code === 'auth.users_disabled')

/** Wraps a loader: redirects visitors to the sign-in page and back, and expired sessions to the sign-out page. */
export const requireSession =
  (load: (args: LoaderFunctionArgs) => Promise<unknown>): LoaderFunction =>
  async (args) => {
    try {
      return await load(args)
    } catch (error) {
      if (!isSignedOut(error)) throw error
      const { pathname, search } = new URL(args.request.url)
      const here = pathname.slice(site.base.length) + search
      throw redirect(sessionStore.current() ? SESSION_ENDED_PATH : `${paths.signIn}?to=${encodeURIComponent(here)}`)
    }
  }

export const loadAccount = requireSession(
  async () => (await requestJson<{ user: Account }>({ method: 'GET', path: '/account' })).user,
)
