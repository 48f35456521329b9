/**
 * A fetch over node:http and node:https with client certificates and proxies. The built-in one of Node.js 20 has no
 * option for these, and loading it takes longer than a short command. Follows no redirects: proofs and texts are sent
 * to the named server only.
 */
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import tls from 'node:tls'
import type { HttpFetch } from '#shared/client/send-request'
import type { FailedProxy } from '../output/network-errors.js'
import { toHttpResponse } from './node-response.js'
import type { TlsFiles, Transport } from './transport-options.js'

type Body = string | Uint8Array | ReadableStream | null | undefined
type OnSocket = (error: Error | null, socket: Duplex) => void

/** Connections are reused. They do not keep the process alive. Responses are limited as in `toHttpResponse`. */
export function createNodeFetch(transport: Pick<Transport, 'tls' | 'proxy'>): HttpFetch {
  const open = createRequestOpener(transport, { keepAlive: true })
  return async (url, { method = 'GET', headers, body, signal }) => {
    // node:http sends the body of a DELETE without a length, which the server reads as the next request.
    const length = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : null
    // Responses are not decompressed.
    const all = { 'accept-encoding': 'identity', ...headers, ...(length !== null && { 'content-length': length }) }
    return send(open(new URL(url), { method, headers: all }), body as Body, signal)
  }
}

export type RequestOpener = (url: URL, options: RequestOptions) => http.ClientRequest

/** Returns a function that begins a request, through the proxy and with the certificates of `transport`. */
export function createRequestOpener(
  { tls: files, proxy }: Pick<Transport, 'tls' | 'proxy'>,
  { keepAlive }: { keepAlive: boolean },
): RequestOpener {
  const secure = proxy ? new TunnelAgent(proxy, { keepAlive, ...files }) : new https.Agent({ keepAlive, ...files })
  const plain = new http.Agent({ keepAlive })
  return (url, options) => {
    if (url.protocol === 'https:') return https.request(url, { ...options, agent: secure })
    return proxy ? requestByProxy(url, proxy, options) : http.request(url, { ...options, agent: plain })
  }
}

/** Resolves with the head of the response. Rejects with a system error, or the reason of the signal. */
function send(request: http.ClientRequest, body: Body, signal: AbortSignal | null | undefined): ReturnType<HttpFetch> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal?.aborted ? signal.reason : error)
    const abort = () => request.destroy()
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    request.once('close', () => signal?.removeEventListener('abort', abort))
    request.once('error', fail)
    request.once('response', (message: IncomingMessage) => {
      try {
        resolve(toHttpResponse(message, () => (signal?.aborted ? signal.reason : undefined)))
      } catch (error) {
        fail(error)
      }
    })
    // The error listener above reports failures of the pipeline too, except failures of the source.
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as NodeReadableStream), request).catch(fail)
    else request.end(body ?? undefined)
  })
}

/** Plain http: the proxy gets the whole URL. */
function requestByProxy(url: URL, proxy: URL, { headers, ...options }: RequestOptions): http.ClientRequest {
  const request = clientFor(proxy).request({
    ...options,
    ...addressOf(proxy),
    path: url.href,
    headers: { host: url.host, ...(headers as Record<string, string>), ...authorizationOf(proxy) },
  })
  return request.prependListener('error', (error) => void toProxyError(error, proxy, 'HTTP_PROXY'))
}

/** Names the proxy in the error, for the message. */
const toProxyError = (error: Error, { host }: URL, variable: string): Error =>
  Object.assign(error, { proxy: { host, variable } satisfies FailedProxy })

/** https: opens a tunnel through the proxy, and speaks TLS with the server inside. */
class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxy: URL,
    options: TlsFiles & { keepAlive: boolean },
  ) {
    super(options)
  }

  override createConnection(options: RequestOptions, onSocket: OnSocket = () => {}): undefined {
    const { proxy } = this
    const host = String(options.host)
    const path = `${host.includes(':') ? `[${host}]` : host}:${options.port}`
    const headers = { host: path, ...authorizationOf(proxy) }
    const request = clientFor(proxy).request({ ...addressOf(proxy), method: 'CONNECT', path, headers, agent: false })
    // Node.js ignores the socket of an error.
    const fail = (error: Error) => onSocket(toProxyError(error, proxy, 'HTTPS_PROXY'), new Duplex())
    request.once('error', fail)
    request.once('connect', ({ statusCode }: IncomingMessage, socket: Socket) => {
      if (statusCode === 200) return onSocket(null, tls.connect({ ...(options as tls.ConnectionOptions), socket }))
      socket.destroy()
      fail(Object.assign(new Error('no tunnel'), { code: `the proxy returned status ${statusCode}` }))
    })
    request.end()
    return undefined
  }
}

const clientFor = ({ protocol }: URL) => (protocol === 'https:' ? https : http)

const addressOf = ({ hostname, port }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  ...(port === '' ? {} : { port }),
})

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}
