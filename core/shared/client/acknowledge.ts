/** Tells the server that a view arrived, after which it deletes a used-up secret. */
import type { AckSecret } from '../api/index.js'
import { ApiError, type Client } from './client.js'

/**
 * Resolves also for an unknown claim: the view is acknowledged already, or its period is over. Throws ApiError or
 * NetworkError.
 */
export async function acknowledge(client: Pick<Client, 'ack'>, id: string, body: AckSecret): Promise<void> {
  try {
    await client.ack(id, body)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'secret.not_found') throw error
  }
}
