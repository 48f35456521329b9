import type { LoaderFunctionArgs } from 'react-router'
import { isSignedOut, requireSession } from '../../lib/session/require-session.js'

/** The data of a page, or the error that it shows instead. */
export type Loaded<T> = { data: T } | { error: unknown }

/** A loader that requires a session, and leaves every other error to its page. */
export const loadOrError = <T>(load: (args: LoaderFunctionArgs) => Promise<T>) =>
  requireSession(async (args): Promise<Loaded<T>> => {
    try {
      return { data: await load(args) }
    } catch (error) {
      if (error instanceof Response || isSignedOut(error)) throw error
      return { error }
    }
  })
