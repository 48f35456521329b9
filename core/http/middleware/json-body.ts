/** JSON request bodies of limited size, without compression. */
import { AppError } from '../../lib/errors.js'
import { lazy } from '../../lib/lazy.js'
import type { AppContext, AppMiddleware } from '../lib/state.js'

/** Time limit for receiving a body. */
const TIMEOUT_MS = 30_000

/**
 * Parses a JSON body of at most `maxBytes` into `ctx.request.body`; no body is parsed as {}. Throws AppError
 * `request.unsupported_type`, `request.too_large` or `request.timeout`.
 */
export function jsonBody(maxBytes: number): AppMiddleware {
  const loadParser = lazy(() => createParser(maxBytes))
  return async (ctx, next) => {
    if (!hasBody(ctx)) {
      ctx.request.body = {}
      return next()
    }
    if (!isPlainJson(ctx)) throw new AppError('request.unsupported_type')
    if ((ctx.request.length ?? 0) > maxBytes) throw new AppError('request.too_large')
    const parse = await loadParser()
    await withTimeout(
      ctx,
      parse(ctx, async () => {}),
    )
    await next()
  }
}

/** Loads koa-body, which takes as long to start as the rest of the pipeline, for the first body. */
async function createParser(maxBytes: number) {
  const { HttpMethodEnum, koaBody } = await import('koa-body')
  const jsonOnly = { json: true, multipart: false, urlencoded: false, text: false }
  const { POST, PUT, DELETE } = HttpMethodEnum
  return koaBody({ ...jsonOnly, jsonLimit: maxBytes, parsedMethods: [POST, PUT, DELETE] })
}

const hasBody = (ctx: AppContext): boolean =>
  ctx.request.length !== 0 && (ctx.request.length !== undefined || ctx.get('transfer-encoding') !== '')

/** application/json in UTF-8, without Content-Encoding. */
function isPlainJson(ctx: AppContext): boolean {
  const [type = '', ...parameters] = ctx.get('content-type').toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  const isUtf8 = !charset || /^charset="?utf-?8"?$/.test(charset)
  return type.trim() === 'application/json' && isUtf8 && (ctx.get('content-encoding') || 'identity') === 'identity'
}

async function withTimeout(ctx: AppContext, parsing: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      ctx.set('Connection', 'close')
      reject(new AppError('request.timeout'))
    }, TIMEOUT_MS)
  })
  try {
    await Promise.race([parsing, timeout])
  } finally {
    clearTimeout(timer)
  }
}
