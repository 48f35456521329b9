import { createClient } from '#shared/client'
import { site } from './site.js'

/** The calls of the page, to the server that it came from. */
export const api = createClient({ server: site.base })
