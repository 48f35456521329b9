/** Request and response bodies as byte streams: file parts. They are never held in memory as a whole. */
import { PassThrough, type Readable } from 'node:stream'
import type { DocumentStream } from '../../lib/document-stream.js'
import { AppError, isAppError } from '../../lib/errors.js'
import type { SizedStream } from '../../lib/sized-stream.js'
import type { AppContext } from './state.js'

/** An upload slower than this is aborted. */
const MIN_BYTES = 160 * 1024
const INTERVAL_MS = 10_000

/** A request body. `length`: its Content-Length, or null. */
export interface IncomingStream {
  body: Readable
  length: number | null
}

/** Opens the request body as a stream. Throws AppError `request.unsupported_type` if it is compressed. */
export function openRequestStream(ctx: AppContext): IncomingStream {
  if ((ctx.get('content-encoding') || 'identity') !== 'identity') throw new AppError('request.unsupported_type')
  // Not the request itself: a consumer that destroys it would also close the socket of the response.
  const body = new PassThrough()
  // The stream may fail before it has a reader, who then gets the error.
  body.on('error', () => {})
  // Not `complete`: when the client disconnects, the unread part of a body is lost even if it has arrived.
  const end = () => void (ctx.req.readableEnded || body.destroy(new AppError('request.timeout')))
  // The client may have disconnected while the request was checked.
  if (ctx.req.closed) end()
  else ctx.req.once('close', end)
  ctx.req.on('error', () => {}).pipe(body)
  return { body, length: ctx.request.length ?? null }
}

/**
 * Runs `handle` while the body arrives. Throws AppError `request.timeout` if the connection breaks or the body arrives
 * too slowly. The rest of a rejected body is discarded.
 */
export async function receive<T>(ctx: AppContext, { body }: IncomingStream, handle: () => Promise<T>): Promise<T> {
  const { req } = ctx
  let seen = 0
  const check = setInterval(() => {
    const { bytesRead } = req.socket
    // If bytes are waiting to be read, the store is slow and not the client.
    const isSlow = bytesRead - seen < MIN_BYTES && body.readableLength === 0
    if (isSlow && !req.complete) body.destroy(new AppError('request.timeout'))
    seen = bytesRead
  }, INTERVAL_MS)
  try {
    return await handle()
  } catch (error) {
    if (isAppError(body.errored, 'request.timeout')) throw body.errored
    throw error
  } finally {
    clearInterval(check)
    // Reads and discards the rest, within the limits of `drainRequest`.
    if (!req.readableEnded) req.unpipe().resume()
  }
}

/** Sends a stream. If it fails midway, the connection is closed, so that the client notices the truncation. */
export function sendStream(ctx: AppContext, { body, length }: SizedStream): void {
  // A constant: headers never contain values of a client.
  sendDocument(ctx, { body, type: 'application/octet-stream', name: 'download.bin' })
  ctx.length = length
}

/** As `sendStream`, for a file whose length is not known. */
export function sendDocument(ctx: AppContext, { body, type, name }: DocumentStream): void {
  ctx.set({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  })
  ctx.body = body
  body.once('error', () => ctx.res.destroy())
}
