/** HTTP client of the public statistics. */
import { Stats } from '../response-schemas/instance-responses.js'
import { type ClientOptions, createSend } from './client.js'

export const readStats = (options: ClientOptions): Promise<Stats> =>
  createSend(options).sendWithRetry({ response: Stats, method: 'GET', path: '/stats' })
