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
    const asked = send(url, {
      method,
      agent: false,
      // Not the Host header, which may be forged. TLS has no server name for IP addresses.
      servername: isIP(host) === 0 ? host : '',
      headers: { ...headers, ...(length === undefined ? {} : { 'content-length': String(length) }) },
    })
    const timer = setTimeout(
      () => asked.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    asked.once('close', () => clearTimeout(timer))
    asked.on('error', reject)
    asked.once('response', (answer) => {
      const { localAddress = '', remoteAddress = '' } = answer.socket
      const chunks: Buffer[] = []
      let seen = 0
      const end = () => {
        resolve({
          ...{ status: answer.statusCode ?? 0, headers: answer.headers, headersDistinct: answer.headersDistinct },
          ...{ body: Buffer.concat(chunks).toString(), localAddress: localAddress, remoteAddress: remoteAddress },
        })
        asked.destroy()
      }
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        seen += chunk.length
        if (seen > MAX_BODY_BYTES) end()
      })
      answer.once('end', end)
      answer.once('error', reject)
    })
    if (body !== undefined) asked.write(body)
    if (contentLength === undefined) asked.end()
  })
}
