/** Draining of rejected request bodies. */
import type { AppMiddleware } from '../lib/state.js'

const DRAIN_MS = 1000
/** More than a part of a file. Reading it takes up to 20 ms of CPU time. */
const DRAIN_BYTES = 16 * 2 ** 20

/**
 * Reads and discards the rest of a body that was not read, up to 16 MiB and for up to 1 s after the response. So the
 * client reads the response before the socket closes, and can use the connection again.
 */
export const drainRequest: AppMiddleware = async ({ req, res }, next) => {
  await next()
  // Most requests have arrived whole by now.
  if (req.complete) return
  let left = DRAIN_BYTES
  req.on('data', ({ length }: Buffer) => {
    left -= length
    if (left <= 0) req.pause()
  })
  req.resume()
  res.once('finish', () => {
    if (!req.complete) setTimeout(() => req.complete || req.destroy(), DRAIN_MS).unref()
  })
}
