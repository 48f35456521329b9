/** Sends requests without the API token once the server refuses it. */
import type { HttpFetch, HttpResponse } from '#shared/client/send-request'

/**
 * For requests by a link, which need no account: after a response with the code `auth.invalid_token`, repeats the
 * request without a token, and sends none from then on. A stream as body cannot be sent again. `onRefused` is called
 * once.
 */
export function createTokenFallback(send: HttpFetch, onRefused: () => void): HttpFetch {
  let isRefused = false
  return async (url, request) => {
    const { authorization = '', ...others } = request.headers
    if (!authorization.startsWith('Bearer ')) return send(url, request)
    if (isRefused) return send(url, { ...request, headers: others })
    const response = await send(url, request)
    if (response.status !== 401) return response
    const text = await response.text()
    const isRepeatable = !(request.body instanceof ReadableStream)
    if (!isRepeatable || !text.includes('"auth.invalid_token"')) return withText(response, text)
    isRefused = true
    onRefused()
    return send(url, { ...request, headers: others })
  }
}

const withText = (response: HttpResponse, text: string): HttpResponse => ({ ...response, text: async () => text })
