/** Draining of rejected request bodies. */
import type { AppMiddleware } from '../lib/state.js'

const DRAIN_MS = 1000

/**
 * Reads and discards the rest of a body that was not read, for up to 1 s after the response. So the client reads the response
 * before the socket closes, and can use the connection again.
 */
export const drainRequest: AppMiddleware = async ({ req, res }, next) => {
  await next()
  // Most requests have arrived whole by now.
  if (req.complete) return
  req.resume()
  res.once('finish', () => {
    if (!req.complete) setTimeout(() => req.complete || req.destroy(), DRAIN_MS).unref()
  })
}
