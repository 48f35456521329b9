/**
 * A fetch over node:http and node:https, for what the built-in one of Node.js 20 has no option for: client certificates and
 * proxies. Follows no redirects.
 */
import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import tls from 'node:tls'
import type { TlsFiles, Transport } from './transport-options.js'

type Body = string | Uint8Array | ReadableStream | null | undefined
type OnSocket = (error: Error | null, socket: Duplex) => void

/** Connections are reused. They do not keep the process alive. */
export function createNodeFetch({ tls: files, proxy }: Pick<Transport, 'tls' | 'proxy'>): typeof fetch {
  const secure = proxy ? new TunnelAgent(proxy, files ?? {}) : new https.Agent({ keepAlive: true, ...files })
  const plain = new http.Agent({ keepAlive: true })
  return async (input, init = {}) => {
    const url = new URL(String(input))
    const options = {
      method: init.method,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal ? { signal: init.signal } : {}),
    }
    if (url.protocol === 'https:') return send(https.request(url, { ...options, agent: secure }), init.body as Body)
    const request = proxy ? requestByProxy(url, proxy, options) : http.request(url, { ...options, agent: plain })
    return send(request, init.body as Body)
  }
}

/** Resolves with the head of the response. Rejects with a system error, or AbortError. */
function send(request: http.ClientRequest, body: Body): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (message) => resolve(toResponse(message)))
    // The error listener above reports failures of the pipeline too, except those of the source.
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as NodeReadableStream), request).catch(reject)
    else request.end(body ?? undefined)
  })
}

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string)
  const isEmpty = [204, 205, 304].includes(status)
  if (isEmpty) message.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(message) as ReadableStream), { status, statusText, headers })
}

/** Plain http: the proxy gets the whole URL. */
function requestByProxy(url: URL, proxy: URL, { headers, ...options }: RequestOptions): http.ClientRequest {
  return clientFor(proxy).request({
    ...options,
    ...addressOf(proxy),
    path: url.href,
    headers: { ...headers, host: url.host, ...authorizationOf(proxy) },
  })
}

/** https: opens a tunnel through the proxy, and speaks TLS with the server inside. */
class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxy: URL,
    files: TlsFiles,
  ) {
    super({ keepAlive: true, ...files })
  }

  override createConnection(options: RequestOptions, onSocket: OnSocket = () => {}): undefined {
    const { proxy } = this
    const host = String(options.host)
    const path = `${host.includes(':') ? `[${host}]` : host}:${options.port}`
    const headers = { host: path, ...authorizationOf(proxy) }
    const request = clientFor(proxy).request({ ...addressOf(proxy), method: 'CONNECT', path, headers, agent: false })
    // Node.js ignores the socket of an error.
    const fail = (error: Error) => onSocket(error, new Duplex())
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
