/** Bodies: JSON only, of bounded size, never compressed. */
import type { Context, Next } from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import { AppError } from '../errors.js'

/** How long a whole body may take, in ms. */
const BODY_MS = 30_000

/** Koa middleware: reads a JSON body of at most `maxBytes` into `ctx.request.body`; no body reads as {}. */
export function jsonBody(maxBytes: number) {
  const only = { json: true, multipart: false, urlencoded: false, text: false }
  const { POST, PUT, DELETE } = HttpMethodEnum
  const read = koaBody({ ...only, jsonLimit: maxBytes, parsedMethods: [POST, PUT, DELETE] })
  return async (ctx: Context, next: Next): Promise<void> => {
    const hasBody =
      ctx.request.length !== 0 && (ctx.request.length !== undefined || ctx.get('transfer-encoding') !== '')
    if (!hasBody) {
      ctx.request.body = {}
      return next()
    }
    const [type = '', ...parameters] = ctx.get('content-type').toLowerCase().split(';')
    const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
    const isJson = type.trim() === 'application/json' && (!charset || /^charset="?utf-?8"?$/.test(charset))
    if (!isJson || (ctx.get('content-encoding') || 'identity') !== 'identity') {
      throw new AppError('request.unsupported_type')
    }
    if ((ctx.request.length ?? 0) > maxBytes) throw new AppError('request.too_large')
    await inTime(
      ctx,
      read(ctx, async () => {}),
    )
    await next()
  }
}

async function inTime(ctx: Context, reading: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      ctx.set('Connection', 'close')
      reject(new AppError('request.timeout'))
    }, BODY_MS)
  })
  try {
    await Promise.race([reading, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
