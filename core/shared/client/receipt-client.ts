/** HTTP client of receipts. */
import { Receipt } from '../response-schemas/receipts-responses.js'
import { type ClientOptions, createSend } from './client.js'

/** Reads the receipt of a receipt token. */
export const readReceipt = (token: string, options: ClientOptions): Promise<Receipt> =>
  createSend(options).sendWithRetry({
    response: Receipt,
    method: 'GET',
    path: '/receipt',
    headers: { 'mayfly-access': token },
  })
