/** Draining of rejected request bodies. */
import type { AppMiddleware } from '../lib/state.js'

const DRAIN_MS = 1000

/**
 * Keeps the connection open for up to 1 s after the response while the client still sends, so that it reads the response
 * before the socket closes.
 */
export const drainRequest: AppMiddleware = async ({ req, res }, next) => {
  await next()
  // Most requests have arrived whole by now.
  if (req.complete) return
  res.once('finish', () => {
    if (!req.complete) setTimeout(() => req.complete || req.destroy(), DRAIN_MS).unref()
  })
}
