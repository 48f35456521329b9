import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { lazy } from '../../lib/lazy.js'
import type { AppMiddleware } from '../lib/state.js'

/** Serves a JSON document that never changes: created and compressed at the first request, with an ETag. */
export function serveDocument(create: () => unknown): AppMiddleware {
  const prepare = lazy(() => {
    const plain = Buffer.from(JSON.stringify(create()))
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    return { plain, gzip: gzipSync(plain), etag }
  })
  return async (ctx) => {
    const { plain, gzip, etag } = prepare()
    const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
    ctx.vary('Accept-Encoding')
    ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' })
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.type = 'application/json'
    if (isGzip) ctx.set('Content-Encoding', 'gzip')
    ctx.body = isGzip ? gzip : plain
  }
}
