/** Limits the size of responses, so that a hostile server cannot fill the memory of a client. */

/** More than the response with the longest text that a server can be configured for (64 MiB before encryption). */
export const RESPONSE_MAX = 256 * 2 ** 20

/** Statuses without a body. Chromium returns an empty stream for them, from which a response cannot be created. */
const NO_BODY = [204, 205, 304]

/**
 * Returns a fetch whose responses fail after `max` bytes, counted after decompression, with the code
 * `RESPONSE_TOO_LARGE`.
 */
export const limitResponses =
  (send: typeof fetch, max: number = RESPONSE_MAX): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    const declared = response.headers.get('content-length')
    const isCompressed = response.headers.has('content-encoding')
    if (Number(declared) > max) {
      await response.body?.cancel()
      throw tooLarge()
    }
    // The HTTP client checks a declared length. Counting costs time, which matters for downloads.
    const isBounded = (declared !== null && !isCompressed) || NO_BODY.includes(response.status)
    if (response.body === null || isBounded) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(createCounter(max)), { status, statusText, headers })
  }

type Bytes = Uint8Array<ArrayBuffer>

function createCounter(max: number): TransformStream<Bytes, Bytes> {
  let received = 0
  return new TransformStream({
    transform(chunk, controller) {
      received += chunk.length
      if (received > max) controller.error(tooLarge())
      else controller.enqueue(chunk)
    },
  })
}

export const tooLarge = (): Error =>
  Object.assign(new Error('the response is too large'), { code: 'RESPONSE_TOO_LARGE' })
