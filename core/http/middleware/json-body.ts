/** JSON request bodies of limited size, without compression. */
import { HttpMethodEnum, koaBody } from 'koa-body'
import { AppError } from '../../lib/errors.js'
import type { AppContext } from '../lib/state.js'

/** Time limit for receiving a body. */
const TIMEOUT_MS = 30_000

/**
 * Returns a function that parses a JSON body of at most `maxBytes` into `ctx.request.body`; no body is parsed as {}. It throws
 * AppError `request.unsupported_type`, `request.too_large` or `request.timeout`.
 */
export function jsonBodyParser(maxBytes: number): (ctx: AppContext) => Promise<void> {
  const jsonOnly = { json: true, multipart: false, urlencoded: false, text: false }
  const { POST, PUT, DELETE } = HttpMethodEnum
  const parse = koaBody({ ...jsonOnly, jsonLimit: maxBytes, parsedMethods: [POST, PUT, DELETE] })
  return async (ctx) => {
    if (!hasBody(ctx)) {
      ctx.request.body = {}
      return
    }
    if (!isPlainJson(ctx)) throw new AppError('request.unsupported_type')
    if ((ctx.request.length ?? 0) > maxBytes) throw new AppError('request.too_large')
    await withTimeout(ctx, parse(ctx, doNothing))
  }
}

const doNothing = async () => {}

const hasBody = (ctx: AppContext): boolean =>
  ctx.request.length !== 0 && (ctx.request.length !== undefined || ctx.get('transfer-encoding') !== '')

/** application/json in UTF-8, without Content-Encoding. */
function isPlainJson(ctx: AppContext): boolean {
  const [type = '', ...parameters] = ctx.get('content-type').toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  const isUtf8 = !charset || /^charset="?utf-?8"?$/.test(charset)
  return type.trim() === 'application/json' && isUtf8 && (ctx.get('content-encoding') || 'identity') === 'identity'
}

function withTimeout(ctx: AppContext, parsing: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      ctx.set('Connection', 'close')
      reject(new AppError('request.timeout'))
    }, TIMEOUT_MS)
    const settle = (error?: unknown) => {
      clearTimeout(timer)
      if (error === undefined) resolve()
      else reject(error)
    }
    parsing.then(() => settle(), settle)
  })
}
