import { paths } from '../paths.js'

export const ENDED = '?ended'

/** Where those are led whose session ended without them. */
export const sessionEnded = paths.signOut + ENDED
