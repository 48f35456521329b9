import { createRequestClient } from '#shared/client/request-client'
import { site } from './site.js'

/** The API client of secret requests, with retries. */
export const requestApi = createRequestClient({ server: site.base })
