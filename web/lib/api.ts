import { createClient } from '#shared/client/client'
import { createRequest } from '#shared/client/send-request'
import { site } from './site.js'

/** The API client, with retries. */
export const api = createClient({ server: site.base })

/** Sends one JSON request without retries: for forms, whose user can try again. */
export const { json: requestJson } = createRequest({ server: site.base })
