/** JSON request bodies of limited size, without compression. */
import { AppError } from '../../lib/errors.js'
import { lazy } from '../../lib/lazy.js'
import type { AppContext } from './state.js'

/** Time limit for receiving a body. */
const TIMEOUT_MS = 30_000

/**
 * Returns a function that parses a JSON body of at most `maxBytes` into `ctx.request.body`; no body is parsed as {}. It throws
 * AppError `request.unsupported_type`, `request.too_large` or `request.timeout`.
 */
export function jsonBodyParser(maxBytes: number): (ctx: AppContext) => Promise<void> {
  const loadParser = lazy(() => createParser(maxBytes))
  return async (ctx) => {
    if (!hasBody(ctx)) {
      ctx.request.body = {}
      return
    }
    if (!isPlainJson(ctx)) throw new AppError('request.unsupported_type')
    if ((ctx.request.length ?? 0) > maxBytes) throw new AppError('request.too_large')
    const parse = await loadParser()
    const countReceived = countBytes(ctx)
    await withTimeout(ctx, parse(ctx, doNothing))
    assertUtf8(ctx, countReceived)
  }
}

/** Returns a function that returns the length of the body in bytes: its Content-Length, or what has been received. */
function countBytes({ req, request }: AppContext): () => number {
  const { length } = request
  if (length !== undefined) return () => length
  let received = 0
  req.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  return () => received
}

/**
 * Throws AppError `request.invalid` if the body was not UTF-8: the decoder replaces invalid bytes with U+FFFD, which is longer,
 * and a text would be stored changed.
 */
function assertUtf8({ request }: AppContext, countReceived: () => number): void {
  const text: unknown = request.rawBody
  request.rawBody = ''
  if (typeof text !== 'string' || !text.includes('\uFFFD')) return
  if (Buffer.byteLength(text) === countReceived()) return
  throw new AppError('request.invalid', { message: 'The body is not valid UTF-8.' })
}

const doNothing = async () => {}

/** Loads koa-body, which takes as long to start as the rest of the pipeline, for the first body. */
async function createParser(maxBytes: number) {
  const { HttpMethodEnum, koaBody } = await import('koa-body')
  const jsonOnly = { json: true, multipart: false, urlencoded: false, text: false }
  const { POST, PUT, DELETE } = HttpMethodEnum
  return koaBody({ ...jsonOnly, jsonLimit: maxBytes, parsedMethods: [POST, PUT, DELETE], includeUnparsed: true })
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
