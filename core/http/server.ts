/** The HTTP pipeline, in order, and the server around it. */
import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Router from '@koa/router'
import Koa, { type Context, type Middleware, type Next } from 'koa'
import { AppError } from '../errors.js'
import type { Emit } from '../events.js'
import type { Log } from '../log.js'
import type { Hooks } from '../plugin.js'
import type { ServiceSettings, Services } from '../services.js'
import { basePath } from '../shared/site.js'
import { authenticate } from './authenticate.js'
import { jsonBody } from './body.js'
import { answerCall, type Call } from './call.js'
import { calls } from './calls.js'
import { identify } from './client-address.js'
import { crossOrigin } from './cors.js'
import { errorFunnel } from './errors.js'
import { guard } from './guards.js'
import { API_HEADERS, securityHeaders } from './headers.js'
import { knownHosts } from './hosts.js'
import { lingerBriefly } from './linger.js'
import { openApi } from './openapi.js'
import { ownPlaces, type Places } from './origins.js'
import { pageLimit, rateLimit } from './rate-limit.js'
import { METHODS, requestLog } from './request-log.js'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

const BODY_LIMIT = 64 * 1024
/** Calls that are also answered at the root, where orchestrators look for them. */
const OPERATIONS = new Set(['/healthz', '/readyz'])

interface Parts {
  services: Services
  settings: ServiceSettings & {
    trustedProxies: string[]
    allowedHosts: string[]
    corsOrigins: string[]
    anyAddress?: boolean
  }
  hooks: Hooks[]
  emit: Emit
  log: Log
  version: string
}

/** One handler for everything: the API under /api/v1 and, by its older name, /api; pages elsewhere. */
export function httpHandler({ services, settings, hooks, emit, log, version }: Parts): Handler {
  const all = calls({ ...settings, version, ready: services.health.ready })
  const places = ownPlaces(settings)
  const document = openApi(all, { publicUrl: settings.publicUrl, version })
  const koa = new Koa()
  koa.use(lingerBriefly)
  koa.use(underBase(basePath(settings.publicUrl)))
  koa.use(requestLog(log, emit))
  koa.use(securityHeaders(settings.publicUrl))
  koa.use(errorFunnel(log))
  koa.use(knownMethod)
  koa.use(identify(settings.trustedProxies, log))
  koa.use(knownHosts({ ...settings, exempt: OPERATIONS, audit: services.audit.note, log }))
  koa.use(apiShape(crossOrigin(settings.corsOrigins)))
  for (const prefix of ['/api/v1', '/api']) {
    const router = new Router({ prefix, sensitive: true })
    // Only what a call answers: an unknown address says nothing about who asks.
    router.use(authenticate(services, places) as never)
    mount(router, all, services, places)
    router.get('/openapi.json', (ctx) => {
      ctx.body = document
    })
    for (const { routes } of hooks) routes?.(router, services)
    koa.use(router.routes()).use(router.allowedMethods())
  }
  const operations = new Router({ sensitive: true })
  mount(
    operations,
    all.filter(({ path }) => OPERATIONS.has(path)),
    services,
    places,
  )
  koa.use(operations.routes()).use(operations.allowedMethods())
  const pages = hooks.flatMap((each) => each.pages ?? [])
  const beside =
    (middleware: Middleware): Middleware =>
    (ctx, next) =>
      isApi(ctx.path) ? next() : middleware(ctx, next)
  if (pages.length > 0) koa.use(beside(pageLimit(services.ownLimits)))
  for (const each of pages) koa.use(beside(each))
  // Koa's own last resort prints whole errors; ours has logged what may be logged.
  koa.on('error', () => {})
  return koa.callback()
}

/** Listens; `host` empty: on every interface. Rejects when the address is in use. */
export async function listen(handler: Handler, host: string, port: number): Promise<Server> {
  const server = createServer(
    {
      headersTimeout: 15_000,
      // Long enough for a part of a file on a slow line; the bodies themselves are bounded in body.ts and octets.ts.
      requestTimeout: 15 * 60_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: 5_000,
    },
    handler,
  )
  server.maxRequestsPerSocket = 1000
  server.maxConnections = 2048
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host === '' ? {} : { host }) }, resolve)
  })
  return server
}

/** A port that is free right now, and not one of those that the system gives to connections, so that it stays free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    const server = await listen(() => {}, '127.0.0.1', port).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return null
      throw error
    })
    if (server === null) continue
    await stopListening(server, 0)
    return port
  }
}

/** Stops listening and lets what is running end, for `drainMs` at most. */
export async function stopListening(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection that has had its answer would otherwise be kept alive until the end of the drain.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const all = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(idle)
  clearTimeout(all)
}

function mount(router: Router, calls: Call[], services: Services, places: Places): void {
  for (const call of calls) {
    const handlers: Middleware[] = [(ctx) => answerCall(call, ctx as Context, services)]
    if (call.body) handlers.unshift(jsonBody(call.bodyLimit ?? BODY_LIMIT) as Middleware)
    handlers.unshift(rateLimit(call, services.limits) as Middleware)
    handlers.unshift(guard(call, places) as Middleware)
    router.register(call.path, [call.method], handlers as never)
  }
}

/** Takes away what stands before every path when the instance is not at the root of its host, unless a proxy did so already. */
function underBase(base: string) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const isUnder = base !== '' && (ctx.path === base || ctx.path.startsWith(`${base}/`))
    if (isUnder) ctx.path = ctx.path.slice(base.length) || '/'
    await next()
  }
}

async function knownMethod(ctx: Context, next: Next): Promise<void> {
  if (!METHODS.has(ctx.method)) throw new AppError('request.method_not_allowed')
  await next()
}

const isApi = (path: string): boolean => /^\/api(\/|$)/.test(path) || OPERATIONS.has(path)

/** Everything of the API has its headers and, when no router answered, an error in its shape. */
function apiShape(crossOrigin: (ctx: Context, next: Next) => Promise<void>) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!isApi(ctx.path)) return next()
    ctx.set(API_HEADERS)
    await crossOrigin(ctx, next)
    if (ctx.status === 405 || ctx.status === 501) throw new AppError('request.method_not_allowed')
    if (ctx.status === 404) throw new AppError('request.not_found')
  }
}
