/** The HTTP server: start, stop, and a free port for tests. */
import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Log, noLog } from '../lib/log.js'
import { answerClientErrors } from './client-error.js'
import { CONNECTIONS, isReverseProxy, limitConnections } from './connection-limit.js'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Starts to listen; with an empty `host` on every interface. Rejects if the address is in use. `trustedProxies`: may
 * have any number of connections. `log`: for requests that do not reach a handler.
 */
export async function listen(
  handler: Handler,
  host: string,
  port: number,
  trustedProxies: string[] = [],
  log: Log = noLog,
): Promise<Server> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      // Enough for a part of a file on a slow connection. json-body.ts and byte-streams.ts have their own time limits.
      requestTimeout: 15 * 60_000,
      keepAliveTimeout: 65_000,
      // Browsers send the cookies of every application on the host.
      maxHeaderSize: 32 * 1024,
      connectionsCheckingInterval: 5_000,
    },
    handler,
  )
  answerClientErrors(server, log)
  server.maxRequestsPerSocket = 1000
  server.maxConnections = 2048
  limitConnections(server, CONNECTIONS, isReverseProxy(trustedProxies))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host === '' ? {} : { host }) }, resolve)
  })
  return server
}

/** Finds a free port outside the ephemeral range, so that no outgoing connection takes it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    const server = await listen(() => {}, '127.0.0.1', port).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return null
      throw error
    })
    if (server === null) continue
    await stopListening(server, 0)
    return port
  }
}

/** Stops listening and lets running requests end, for up to `drainMs`. */
export async function stopListening(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Otherwise a connection would be kept alive after its response, until the end of the drain.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const all = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(idle)
  clearTimeout(all)
}
