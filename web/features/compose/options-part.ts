import { createLazyPart } from '../../lib/lazy-part.js'

/** The fields below "More options", and what they need when a link is created for each of several people. */
export const optionsPart = createLazyPart(() => import('./options.js'))
