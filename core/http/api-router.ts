/** The API below /api/v1: its routes, its document, and its errors for unknown paths. */
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router'
import type { Middleware } from 'koa'
import { AppError } from '../lib/errors.js'
import { processRateLimit } from './guards/rate-limit.js'
import type { AppContext, AppMiddleware, AppState } from './lib/state.js'
import { API_HEADERS } from './middleware/security-headers.js'
import { openApiDocument } from './openapi/document.js'
import { serveDocument } from './openapi/serve-document.js'
import type { Route } from './routes/route.js'
import { type Mount, routeHandler } from './routes/route-handler.js'

const API = '/api/v1'
/** Routes that also exist at the root, where orchestrators look for them, and respond under any host name. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
export const PROBE_PATHS: ReadonlySet<string> = new Set([...PROBES].flatMap((path) => [path, `${API}${path}`]))

/**
 * The routes of the table, and the API document. Routes that the role of the process leaves out respond with the error
 * `request.wrong_role` to every caller, before credentials are checked. One router for each first segment of a path,
 * because a router compares a path with its routes one after the other.
 */
export function apiRoutes(table: Route[], mount: Mount): Middleware<AppState> {
  const routers = new Map<string, Router<AppState>>()
  const add = (method: string, path: string, handler: RouterMiddleware<AppState>) => {
    const segment = firstSegment(path)
    // Case-sensitive, because `isApi` and `rewritePath` are.
    const router = routers.get(segment) ?? new Router<AppState>({ sensitive: true })
    router.register(path, [method], handler)
    routers.set(segment, router)
  }
  const limit = processRateLimit(mount.app.limits.own, 'cheap')
  const isOffered = ({ isOpen }: Route) => mount.config.role === 'all' || isOpen === true
  const refuse = async (ctx: AppContext) => {
    await limit(ctx)
    throw new AppError('request.wrong_role')
  }
  for (const route of table) {
    const handler = isOffered(route) ? routeHandler(route, mount) : refuse
    add(route.method, `${API}${route.path}`, handler)
    if (PROBES.has(route.path)) add(route.method, route.path, handler)
  }
  const sendDocument = serveDocument(() => openApiDocument(table.filter(isOffered), mount.config))
  add('GET', `${API}/openapi.json`, (ctx) => limit(ctx).then(() => sendDocument(ctx)))
  const handlers = new Map([...routers].map(([segment, router]) => [segment, router.routes()]))
  return (ctx, next) => {
    const handler = isApi(ctx.path) ? handlers.get(firstSegment(ctx.path)) : undefined
    return handler ? handler(ctx as RouterContext<AppState>, next) : next()
  }
}

/** `secret` for `/api/v1/secret/:id`, `healthz` for `/healthz`. */
function firstSegment(path: string): string {
  const start = path.startsWith(`${API}/`) ? API.length + 1 : 1
  const end = path.indexOf('/', start)
  return path.slice(start, end === -1 ? undefined : end)
}

export const isApi = (path: string): boolean => /^\/api(\/|$)/.test(path) || PROBES.has(path)

/** Statuses of requests without a response from a router. Routes throw their errors. */
const UNROUTED: ReadonlySet<number> = new Set([404, 405, 501])

/** Sets the headers of API responses, and returns a JSON error if no router has responded. */
export function apiResponses(
  crossOrigin: AppMiddleware,
  limitUnknown: (ctx: AppContext) => Promise<void>,
): AppMiddleware {
  return async (ctx, next) => {
    if (!isApi(ctx.path)) return next()
    ctx.set(API_HEADERS)
    await crossOrigin(ctx, next)
    if (UNROUTED.has(ctx.status)) await limitUnknown(ctx)
    if (ctx.status === 405 || ctx.status === 501) throw new AppError('request.method_not_allowed')
    if (ctx.status === 404) throw new AppError('request.not_found')
  }
}
