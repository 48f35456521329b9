/** The HTTP pipeline: all middleware in the order in which a request passes it. */
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router'
import Koa, { type Middleware } from 'koa'
import type { Emit } from '../contracts/events.js'
import { AppError } from '../lib/errors.js'
import type { Log } from '../lib/log.js'
import type { ResponseTracker } from '../lib/response-tracker.js'
import type { ServiceSettings, Services } from '../services/create-services.js'
import { basePath } from '../shared/site.js'
import { processRateLimit } from './guards/rate-limit.js'
import { siteOrigin } from './lib/site-origin.js'
import type { AppContext, AppMiddleware, AppState } from './lib/state.js'
import { clientIp } from './middleware/client-ip.js'
import { cors } from './middleware/cors.js'
import { drainRequest } from './middleware/drain-request.js'
import { errorHandler } from './middleware/error-handler.js'
import { hostCheck } from './middleware/host-check.js'
import { methodCheck } from './middleware/method-check.js'
import { requestLog } from './middleware/request-log.js'
import { rewritePath } from './middleware/rewrite-path.js'
import { API_HEADERS, securityHeaders } from './middleware/security-headers.js'
import { openApiDocument } from './openapi/document.js'
import { serveDocument } from './openapi/serve-document.js'
import { routes } from './routes/index.js'
import { type PluginRoutes, toPluginRoutes } from './routes/plugin-routes.js'
import type { Route } from './routes/route.js'
import { type Mount, routeHandler } from './routes/route-handler.js'
import type { Handler } from './server.js'

const API = '/api/v1'
/** Routes that also exist at the root, where orchestrators look for them, and answer under any host name. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
const PROBE_PATHS: ReadonlySet<string> = new Set([...PROBES].flatMap((path) => [path, `${API}${path}`]))

interface Deps {
  services: Services
  settings: ServiceSettings & {
    trustedProxies: string[]
    allowedHosts: string[]
    corsOrigins: string[]
    anyAddress?: boolean
  }
  /** Of plugins, in order. */
  pages: Middleware[]
  pluginRoutes: PluginRoutes[]
  emit: Emit
  responses: Pick<ResponseTracker, 'track'>
  log: Log
  version: string
}

/**
 * Creates the handler of all requests: the API below /api/v1, and /api as an alias; pages of plugins elsewhere. Throws PluginError
 * for an invalid route of a plugin.
 */
export function createHttpHandler({
  services,
  settings,
  pages,
  pluginRoutes,
  emit,
  responses,
  log,
  version,
}: Deps): Handler {
  const { publicUrl } = settings
  const mount: Mount = { services, config: { ...settings, version }, origin: siteOrigin(settings) }
  const own = routes(mount.config)
  const table = [...own, ...toPluginRoutes(pluginRoutes, own)]

  const app = new Koa<AppState>()
  app.use(drainRequest)
  app.use(rewritePath(basePath(publicUrl)))
  app.use(requestLog(log, emit))
  app.use(securityHeaders(publicUrl))
  app.use(errorHandler(log))
  app.use(methodCheck)
  app.use(clientIp({ ...settings, probes: PROBE_PATHS, log }))
  app.use(hostCheck({ ...settings, exempt: PROBES, audit: services.audit.note, log }))
  app.use(apiResponses(cors(settings.corsOrigins), processRateLimit(services.ownLimits, 'cheap')))
  app.use(apiRoutes(table, mount))
  // Of whatever router has matched the path.
  app.use(new Router<AppState>().allowedMethods())
  const limitPage = processRateLimit(services.ownLimits, 'page')
  if (pages.length > 0) app.use(outsideApi((ctx, next) => limitPage(ctx).then(next)))
  for (const page of pages) app.use(outsideApi(page))
  // Koa's default listener prints whole errors. `errorHandler` has logged them already, without their messages.
  app.on('error', () => {})
  const handle = app.callback()
  return (request, response) => {
    responses.track(response)
    void handle(request, response)
  }
}

/**
 * The routes of the table, and the API document. One router for each first segment of a path, because a router compares a path
 * with its routes one after the other.
 */
function apiRoutes(table: Route[], mount: Mount): Middleware<AppState> {
  const routers = new Map<string, Router<AppState>>()
  const add = (method: string, path: string, handler: RouterMiddleware<AppState>) => {
    const segment = firstSegment(path)
    // Case-sensitive, because `isApi` and `rewritePath` are.
    const router = routers.get(segment) ?? new Router<AppState>({ sensitive: true })
    router.register(path, [method], handler)
    routers.set(segment, router)
  }
  for (const route of table) {
    const handler = routeHandler(route, mount)
    add(route.method, `${API}${route.path}`, handler)
    if (PROBES.has(route.path)) add(route.method, route.path, handler)
  }
  const limit = processRateLimit(mount.services.ownLimits, 'cheap')
  const sendDocument = serveDocument(() => openApiDocument(table, mount.config))
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

const isApi = (path: string): boolean => /^\/api(\/|$)/.test(path) || PROBES.has(path)

/** Statuses of requests that no router has answered. Routes throw their errors. */
const UNROUTED: ReadonlySet<number> = new Set([404, 405, 501])

/** Sets the headers of API responses, and returns a JSON error where no router has answered. */
function apiResponses(crossOrigin: AppMiddleware, limitUnknown: (ctx: AppContext) => Promise<void>): AppMiddleware {
  return async (ctx, next) => {
    if (!isApi(ctx.path)) return next()
    ctx.set(API_HEADERS)
    await crossOrigin(ctx, next)
    if (UNROUTED.has(ctx.status)) await limitUnknown(ctx)
    if (ctx.status === 405 || ctx.status === 501) throw new AppError('request.method_not_allowed')
    if (ctx.status === 404) throw new AppError('request.not_found')
  }
}

function outsideApi(middleware: Middleware<AppState>): Middleware<AppState> {
  return (ctx, next) => (isApi(ctx.path) ? next() : middleware(ctx, next))
}
