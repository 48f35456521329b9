/** Responses of node:http in the form that the API client expects. */
import type { IncomingMessage } from 'node:http'
import { RESPONSE_MAX, tooLarge } from '#shared/client/response-limit'
import type { HttpResponse } from '#shared/client/send-request'

/**
 * `abortReason` returns the reason if the request was aborted, which reading the body then throws. A body of more than
 * `max` bytes throws an error with the code RESPONSE_TOO_LARGE, so that a hostile server cannot fill the memory; a
 * declared length of more throws at once.
 */
export function toHttpResponse(
  message: IncomingMessage,
  abortReason: () => unknown,
  max: number = RESPONSE_MAX,
): HttpResponse {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct: headers } = message
  if (Number(headers['content-length']?.[0]) > max) {
    message.destroy()
    throw tooLarge()
  }
  const chunks = readChunks(message, abortReason, max)
  const collect = async () => {
    const all: Buffer[] = []
    for await (const chunk of chunks) all.push(chunk)
    return all.length === 1 && all[0] ? all[0] : Buffer.concat(all)
  }
  const cancel = async () => {
    message.destroy()
  }
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    headers: {
      get: (name) => headers[name.toLowerCase()]?.join(', ') ?? null,
    },
    body: { getReader: () => ({ read: () => chunks.next(), cancel }), cancel },
    text: async () => new TextDecoder().decode(await collect()),
    arrayBuffer: async () => new Uint8Array(await collect()).buffer,
  }
}

async function* readChunks(
  message: IncomingMessage,
  abortReason: () => unknown,
  max: number,
): AsyncGenerator<Buffer, undefined> {
  let received = 0
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received > max) throw tooLarge()
      yield chunk
    }
  } catch (error) {
    throw abortReason() ?? error
  }
}
