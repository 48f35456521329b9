/** Sends HTTP requests with arbitrary Host header, headers and Content-Length. */
import { type IncomingHttpHeaders, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP } from 'node:net'

export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  /** All values of each header. */
  headersDistinct: NodeJS.Dict<string[]>
  body: string
  /** Addresses of the connection. */
  localAddress: string
  remoteAddress: string
}

interface RawRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Content-Length, if larger than the body. The request then never ends. */
  contentLength?: number
}

/** Maximum size of a response body that is read. */
const MAX_BODY_BYTES = 2 ** 20

/** Rejects with an Error with a code, ETIMEDOUT after `timeoutMs`. Follows no redirects. */
export function sendRequest(url: string | URL, timeoutMs: number, request: RawRequest = {}): Promise<RawResponse> {
  const { method = 'GET', headers = {}, body, contentLength } = request
  const send = new URL(url).protocol === 'https:' ? overHttps : overHttp
  const length = contentLength ?? (body === undefined ? undefined : Buffer.byteLength(body))
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method,
      agent: false,
      // Not the Host header, which may be forged. TLS has no server name for IP addresses.
      servername: isIP(host) === 0 ? host : '',
      headers: { ...headers, ...(length === undefined ? {} : { 'content-length': String(length) }) },
    })
    const timer = setTimeout(
      () => outgoing.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    outgoing.once('close', () => clearTimeout(timer))
    outgoing.on('error', reject)
    outgoing.once('response', (response) => {
      const { localAddress = '', remoteAddress = '' } = response.socket
      const chunks: Buffer[] = []
      let seen = 0
      const end = () => {
        resolve({
          ...{ status: response.statusCode ?? 0, headers: response.headers, headersDistinct: response.headersDistinct },
          ...{ body: Buffer.concat(chunks).toString(), localAddress: localAddress, remoteAddress: remoteAddress },
        })
        outgoing.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        seen += chunk.length
        if (seen > MAX_BODY_BYTES) end()
      })
      response.once('end', end)
      response.once('error', reject)
    })
    if (body !== undefined) outgoing.write(body)
    if (contentLength === undefined) outgoing.end()
  })
}
