import type { RequestCode } from '../api/index.js'
import { type ClientOptions, createSend } from './client.js'

/** Asks for a code for a named recipient. The server responds in the same way for every address. Throws ApiError. */
export const requestCode = (options: ClientOptions, id: string, body: RequestCode): Promise<unknown> =>
  createSend(options).send({ method: 'POST', path: `/secret/${encodeURIComponent(id)}/code`, body })
