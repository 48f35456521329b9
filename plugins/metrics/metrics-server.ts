/** HTTP server of the metrics, on a separate port so that proxies do not publish them by accident. */
import cluster from 'node:cluster'
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import type { Metrics } from './metrics.js'

/** Maximum number of workers, and therefore of ports to try. */
const MAX_WORKERS = 256

interface Options extends Pick<Metrics, 'read'> {
  host: string
  /** 0: any free port. */
  port: number
  /** Empty: no authentication. */
  token: string
  /** Further host names of requests, besides `host`, localhost and IP addresses. */
  allowedHosts: string[]
}

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

/** Listens on `port`, or in a worker on the first free port from `port` on. Rejects when all ports are in use. */
export async function startMetricsServer({ host, port, token, allowedHosts, read }: Options): Promise<MetricsServer> {
  const names = new Set(['localhost', host, ...allowedHosts].map((name) => name.toLowerCase()))
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    void handleRequest(request, response, { names, token, read })
  })
  await listen(server, host, port, cluster.isWorker && port > 0 ? MAX_WORKERS : 1)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function handleRequest(
  { method, url, headers, headersDistinct }: IncomingMessage,
  response: ServerResponse,
  { names, token, read }: Pick<Options, 'token' | 'read'> & { names: Set<string> },
): Promise<void> {
  if (headersDistinct.host?.length !== 1 || !isAllowedHost(headers.host ?? '', names)) return respond(response, 421)
  if (url?.split('?')[0] !== '/metrics') return respond(response, 404)
  if (method !== 'GET' && method !== 'HEAD') return respond(response, 405)
  if (token !== '' && !isEqualSecret(headers.authorization ?? '', `Bearer ${token}`)) return respond(response, 401)
  try {
    const { type, text } = await read()
    respond(response, 200, { 'Content-Type': type }, method === 'HEAD' ? undefined : text)
  } catch {
    respond(response, 500)
  }
}

/**
 * Against DNS rebinding: a page of another site reaches this port through a name that resolves to its address, never
 * through the address itself.
 */
function isAllowedHost(header: string, names: Set<string>): boolean {
  const name = header.replace(/:\d{1,5}$/, '').toLowerCase()
  return names.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

async function listen(server: Server, host: string, port: number, attempts: number): Promise<void> {
  // Not shared between workers, because each worker has its own metrics.
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!isTaken) throw error
    if (attempts <= 1 || port === 65535) throw new Error(`port ${port} is in use`, { cause: error })
    await listen(server, host, port + 1, attempts - 1)
  }
}

function respond(response: ServerResponse, status: number, headers: Record<string, string> = {}, text?: string): void {
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(text)
}

/** Compares in constant time. */
function isEqualSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
