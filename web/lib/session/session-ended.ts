import { paths } from '../paths.js'

export const ENDED_QUERY = '?ended'

/** Where those are led whose session ended without them. */
export const SESSION_ENDED_PATH = paths.signOut + ENDED_QUERY
