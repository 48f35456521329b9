/** Loaders and hooks of pages that require a session. */
import { type LoaderFunction, type LoaderFunctionArgs, redirect, useRouteLoaderData } from 'react-router'
import type { Account } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { AccountResponse } from '#shared/response-schemas/account-responses'
import { requestJson } from '../api.js'
import { paths } from '../paths.js'
import { site } from '../site.js'
import { restrictionPath } from './restriction.js'
import { SESSION_ENDED_PATH } from './session-ended.js'
import { sessionStore } from './session-store.js'

/** The id of the route whose loader is `loadAccount`. */
export const ACCOUNT_ROUTE_ID = 'account'

/** The account of the user. For pages below the account route. */
export const useAccount = () => useRouteLoaderData(ACCOUNT_ROUTE_ID) as Account

/** Not signed in, session ended, or users are turned off. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.code === 'auth.users_disabled')

/**
 * Wraps a loader: redirects visitors to the sign-in page and back, expired sessions to the sign-out page, and
 * restricted ones to where the user can go on.
 */
export const requireSession =
  (load: (args: LoaderFunctionArgs) => Promise<unknown>): LoaderFunction =>
  async (args) => {
    const { pathname, search } = new URL(args.request.url)
    const path = pathname.slice(site.base.length) + search
    if ((await sessionStore.load()) === null) throw redirect(`${paths.signIn}?to=${encodeURIComponent(path)}`)
    try {
      return await load(args)
    } catch (error) {
      const elsewhere = isSignedOut(error) ? SESSION_ENDED_PATH : restrictionPath(error, path)
      throw elsewhere === null ? error : redirect(elsewhere)
    }
  }

let account: Promise<Account> | null = null

/** The account as it was loaded last. For loaders of pages below the account route, whose loader starts first. */
export const currentAccount = (): Promise<Account> => account ?? requestAccount()

function requestAccount(): Promise<Account> {
  account = requestJson({ response: AccountResponse, method: 'GET', path: '/account' }).then(({ user }) => user)
  return account
}

export const loadAccount = requireSession(requestAccount)
