/** Bodies of bytes: parts of files on their way in, and files on their way out. Neither is ever held as a whole. */
import { PassThrough, type Readable } from 'node:stream'
import type { Context } from 'koa'
import type { SizedStream } from '../attachments/octets.js'
import { AppError, isAppError } from '../errors.js'

/** A caller that sends less than this in `PACE_MS` is not waited for. */
const PACE_BYTES = 160 * 1024
const PACE_MS = 10_000

/** A body on its way in. `length`: what the caller says that it is; null when it does not. */
export interface Incoming {
  body: Readable
  length: number | null
}

/** The body of a request. Throws AppError `request.unsupported_type` for a compressed one. */
export function incomingOctets(ctx: Context): Incoming {
  if ((ctx.get('content-encoding') || 'identity') !== 'identity') throw new AppError('request.unsupported_type')
  // Not the request itself: whoever destroys that, because of its body, cannot answer it any more.
  const body = new PassThrough()
  // It may fail before anybody reads; whoever reads is told then.
  body.on('error', () => {})
  ctx.req.once('close', () => ctx.req.complete || body.destroy(new AppError('request.timeout')))
  ctx.req.on('error', () => {}).pipe(body)
  return { body, length: ctx.request.length ?? null }
}

/**
 * Runs `handle` while the body comes in. One that breaks off or comes too slowly throws AppError `request.timeout`; what is
 * left of one that was refused is not waited for.
 */
export async function whileReceiving<T>(ctx: Context, { body }: Incoming, handle: () => Promise<T>): Promise<T> {
  const { req } = ctx
  let seen = 0
  const pace = setInterval(() => {
    const { bytesRead } = req.socket
    // With bytes left to read it is the store that is slow.
    const isSlow = bytesRead - seen < PACE_BYTES && body.readableLength === 0
    if (isSlow && !req.complete) body.destroy(new AppError('request.timeout'))
    seen = bytesRead
  }, PACE_MS)
  try {
    return await handle()
  } catch (error) {
    if (isAppError(body.errored, 'request.timeout')) throw body.errored
    throw error
  } finally {
    clearInterval(pace)
    // What is left is read on (see linger.ts), by nobody.
    if (!req.readableEnded) req.unpipe().resume()
  }
}

/** Answers with bytes. A source that fails midway breaks the connection, so that nobody takes a part for the whole. */
export function answerOctets(ctx: Context, { body, length }: SizedStream): void {
  ctx.set({
    'Content-Type': 'application/octet-stream',
    // A constant: nothing that a caller chose gets into a header.
    'Content-Disposition': 'attachment; filename="download.bin"',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  })
  ctx.body = body
  ctx.length = length
  body.once('error', () => ctx.res.destroy())
}
