import { paths } from '../paths.js'

export const ENDED_QUERY = '?ended'

/** The page for users whose session has ended. */
export const SESSION_ENDED_PATH = paths.signOut + ENDED_QUERY
