/** The port for the numbers, apart from that of the instance, so that no proxy publishes them by accident. */
import cluster from 'node:cluster'
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.js'

/** Ports that are tried for workers, as many as there may be. */
const WORKERS = 256

interface Parts extends Pick<Metrics, 'read'> {
  host: string
  /** 0: any that is free. */
  port: number
  /** Empty: nobody is asked for one. */
  token: string
}

/** Listens. In a worker the port is the first from `port` on that is free. Rejects when there is none. */
export async function serveMetrics({
  host,
  port,
  token,
  read,
}: Parts): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const { method, url, headers } = request
    if (url?.split('?')[0] !== '/metrics') return answer(response, 404)
    if (method !== 'GET' && method !== 'HEAD') return answer(response, 405)
    if (token !== '' && !isSame(headers.authorization ?? '', `Bearer ${token}`)) return answer(response, 401)
    read().then(
      ({ type, text }) => answer(response, 200, { 'Content-Type': type }, method === 'HEAD' ? undefined : text),
      () => answer(response, 500),
    )
  })
  await listen(server, host, port, cluster.isWorker && port > 0 ? WORKERS : 1)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server, host: string, port: number, tries: number): Promise<void> {
  // Not shared between workers: each has numbers of its own.
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!isTaken) throw error
    if (tries <= 1 || port === 65535) throw new Error(`port ${port} is in use`, { cause: error })
    await listen(server, host, port + 1, tries - 1)
  }
}

function answer(response: ServerResponse, status: number, headers: Record<string, string> = {}, text?: string): void {
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(text)
}

/** Takes the same time whatever is different. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
