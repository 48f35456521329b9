/** HTTP client of ended secrets. */
import type { EndedSecret, ListEndedSecrets } from '../api/index.js'
import { EndedSecrets } from '../response-schemas/secrets-responses.js'
import { type ClientOptions, createSend } from './client.js'

/** A page of the caller's ended secrets. The last one to end comes first. */
export function listEndedSecrets(query: Partial<ListEndedSecrets>, options: ClientOptions): Promise<EndedSecret[]> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const params = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))
  return createSend(options).sendWithRetry({ response: EndedSecrets, method: 'GET', path: `/secret/ended?${params}` })
}
