/** HTTP client of the caller's own secrets. */
import type { EndedSecret, ListEndedSecrets, OwnSecret } from '../api/index.js'
import { EndedSecrets, OwnSecrets } from '../response-schemas/own-secrets-responses.js'
import { type ClientOptions, createSend, query } from './client.js'

/** A page of the caller's secrets, newest first. */
export const listOwnSecrets = (page: { skip?: number; take?: number }, options: ClientOptions): Promise<OwnSecret[]> =>
  createSend(options).sendWithRetry({ response: OwnSecrets, method: 'GET', path: `/secret${query(page)}` })

/** A page of the caller's ended secrets. The last one to end comes first. */
export const listEndedSecrets = (filter: Partial<ListEndedSecrets>, options: ClientOptions): Promise<EndedSecret[]> =>
  createSend(options).sendWithRetry({ response: EndedSecrets, method: 'GET', path: `/secret/ended${query(filter)}` })
