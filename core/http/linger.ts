/** Bodies that were refused before they had come whole. */
import type { Context, Next } from 'koa'

/** How long what is left of one is read, in ms. */
const LINGER_MS = 1000

/**
 * Koa middleware: after the answer reads on for a moment, because a client that is still sending would not see it, and the
 * next request on its connection would not be read; but not for as long as it sends.
 */
export async function lingerBriefly({ req, res }: Context, next: Next): Promise<void> {
  res.once('finish', () => {
    if (!req.complete) setTimeout(() => req.complete || req.destroy(), LINGER_MS).unref()
  })
  await next()
}
