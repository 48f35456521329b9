import type { LoaderFunctionArgs } from 'react-router'
import { currentAccount, isSignedOut, requireSession } from '../../lib/session/require-session.js'
import { restrictionPath } from '../../lib/session/restriction.js'

/** The data of a page, or the error that it shows instead. `error`: null if the user is not an administrator. */
export type Loaded<T> = { data: T } | { error: unknown }

/**
 * A loader of an admin page: requires a session, sends nothing for users who are not administrators, and leaves every
 * other error to its page.
 */
export const loadOrError = <T>(load: (args: LoaderFunctionArgs) => Promise<T>) =>
  requireSession(async (args): Promise<Loaded<T>> => {
    try {
      return (await currentAccount()).role === 'admin' ? { data: await load(args) } : { error: null }
    } catch (error) {
      if (error instanceof Response || isSignedOut(error) || restrictionPath(error, '') !== null) throw error
      return { error }
    }
  })
