import { RESPONSE_MAX } from '#shared/client/response-limit'

/** Minimum time between two progress events. */
const PROGRESS_INTERVAL_MS = 200

/** `fetch` with upload progress, which the `fetch` of browsers lacks. `onSent` gets the number of sent bytes. */
export function xhrFetch(onSent: (bytes: number) => void): typeof fetch {
  return (address, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      let reportedAt = 0
      request.open(method, String(address))
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, timeStamp }) => {
        if (timeStamp - reportedAt < PROGRESS_INTERVAL_MS) return
        reportedAt = timeStamp
        onSent(loaded)
      })
      request.addEventListener('progress', ({ loaded }) => {
        if (loaded <= RESPONSE_MAX) return
        request.abort()
        reject(new TypeError('the response is too large'))
      })
      request.addEventListener('load', () => {
        const { status, statusText, responseText } = request
        resolve(new Response(responseText || null, { status, statusText }))
      })
      request.addEventListener('error', () => reject(new TypeError('the connection broke')))
      signal?.addEventListener('abort', () => {
        request.abort()
        reject(signal.reason)
      })
      request.send(body as XMLHttpRequestBodyInit)
    })
}
