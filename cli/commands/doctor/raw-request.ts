/** Sends HTTP requests with arbitrary Host header, headers and Content-Length. */
import type { ClientRequest, IncomingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { createRequestOpener } from '../../client/node-fetch.js'
import type { Transport } from '../../client/transport-options.js'

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

export interface RawRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Content-Length, if larger than the body. The request then never ends. */
  contentLength?: number
  /** Instead of the usual one. */
  timeoutMs?: number
}

/** Maximum size of a response body that is read. */
const MAX_BODY_BYTES = 2 ** 20

/** Returns a function that rejects with an Error with a code, ETIMEDOUT after a timeout. It follows no redirects. */
export function createRequestSender(transport: Transport, defaultTimeoutMs: number) {
  const open = createRequestOpener(transport, { keepAlive: false })
  return (url: URL, request: RawRequest = {}): Promise<RawResponse> => {
    const { method = 'GET', headers = {}, body, contentLength, timeoutMs = defaultTimeoutMs } = request
    const length = contentLength ?? (body === undefined ? undefined : Buffer.byteLength(body))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const outgoing = open(url, {
      method,
      // Not the Host header, which may be forged. TLS has no server name for IP addresses.
      servername: isIP(host) === 0 ? host : '',
      headers: {
        ...transport.headers,
        ...headers,
        ...(length === undefined ? {} : { 'content-length': String(length) }),
      },
    } as RequestOptions)
    const response = receiveResponse(outgoing, timeoutMs)
    if (body !== undefined) outgoing.write(body)
    if (contentLength === undefined) outgoing.end()
    return response
  }
}

function receiveResponse(outgoing: ClientRequest, timeoutMs: number): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
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
          status: response.statusCode ?? 0,
          headers: response.headers,
          headersDistinct: response.headersDistinct,
          body: Buffer.concat(chunks).toString(),
          localAddress: localAddress,
          remoteAddress: remoteAddress,
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
  })
}
