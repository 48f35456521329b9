import { createClient } from '#shared/client'

/** The calls of the page, to the server that it came from. */
export const api = createClient({ server: '' })
