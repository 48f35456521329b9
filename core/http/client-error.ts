/**
 * Responds to requests that Node.js refuses before any handler gets them: headers that are too large, malformed or too
 * slow.
 */
import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '../lib/errors.js'
import type { Log } from '../lib/log.js'
import type { ApiError } from '../shared/api/index.js'
import { lookUp } from '../shared/look-up.js'

/** In ms. A client can cause many refusals. */
const LOG_INTERVAL = 60_000
/** In ms: time for the client to read the response. A connection that closes with unread bytes discards it. */
const LINGER = 1000

interface Refusal {
  status: number
  code: ErrorCode
  message: string
}

const MALFORMED: Refusal = { status: 400, code: 'request.invalid', message: 'The request is not valid HTTP.' }
const TIMEOUT: Refusal = { status: 408, code: 'request.timeout', message: 'The request took too long.' }
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'request.too_large',
    message: 'The headers of the request are too large. Delete the cookies of this host in the browser, and try again.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'request.too_large', message: 'The request is too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: TIMEOUT,
}

/**
 * Sends an error body and closes the connection. Logs each status up to once a minute, without the request. Timeouts
 * are not logged, because browsers open connections that they do not use.
 */
export function answerClientErrors(server: Server, log: Log): void {
  const loggedAt = new Map<number, number>()
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    // Each later packet of a refused request is an error too.
    if (socket.writableEnded || socket.destroyed) return
    const { _httpMessage: response } = socket as Duplex & { _httpMessage?: { headersSent: boolean } }
    if (!socket.writable || error.code === 'ECONNRESET' || response?.headersSent) return void socket.destroy(error)
    const refusal = lookUp(REFUSALS, error.code ?? '') ?? MALFORMED
    const now = performance.now()
    if (refusal !== TIMEOUT && now - (loggedAt.get(refusal.status) ?? -LOG_INTERVAL) >= LOG_INTERVAL) {
      loggedAt.set(refusal.status, now)
      log.warn('request refused before it was read', { status: refusal.status, code: refusal.code })
    }
    socket.end(toResponse(refusal, error.rawPacket?.includes('text/html') ?? false))
    setTimeout(() => socket.destroy(), LINGER).unref()
  })
}

function toResponse({ status, code, message }: Refusal, isPage: boolean): string {
  const reason = STATUS_CODES[status] ?? 'Error'
  const json: ApiError = { statusCode: status, error: reason, code, message }
  const body = isPage
    ? `<!doctype html><html lang="en"><meta charset="utf-8"><title>${reason}</title><h1>${reason}</h1><p>${message}</p></html>\n`
    : JSON.stringify(json)
  return [
    `HTTP/1.1 ${status} ${reason}`,
    `Content-Type: ${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    "Content-Security-Policy: default-src 'none'",
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
