import type { LoaderFunctionArgs } from 'react-router'
import { isSignedOut, signedIn } from '../../lib/session/require-session.js'

/** What a screen shows, or why it cannot. */
export type Loaded<T> = { data: T } | { failure: unknown }

/** A loader that sends visitors to sign in first, and leaves every other failure to its screen. */
export const guarded = <T>(load: (args: LoaderFunctionArgs) => Promise<T>) =>
  signedIn(async (args): Promise<Loaded<T>> => {
    try {
      return { data: await load(args) }
    } catch (error) {
      if (error instanceof Response || isSignedOut(error)) throw error
      return { failure: error }
    }
  })
