import { createLazyPart } from '../../../lib/lazy-part.js'

/** The page with the two links of a created request. */
export const createdPart = createLazyPart(() => import('./CreatedRequestPage.js'))
