/**
 * Compares responses of the API with the schemas of the route table. The server only removes unknown fields from them.
 */
import { isDeepStrictEqual } from 'node:util'
import { routes } from '#core/http/routes/index'
import { type Route, type RouteConfig, statusOf } from '#core/http/routes/route'
import { BODY_LIMIT } from '#core/http/routes/route-handler'

/** An instance with defaults. */
const CONFIG: RouteConfig = {
  maxTextBytes: 2 ** 20,
  ttlMaxAnonymous: 604_800,
  ttlMaxUser: 604_800,
  passwordMin: 5,
  passwordMax: 50,
  readGraceSeconds: 600,
  downloadGraceSeconds: 900,
  maxFileBytes: 2 ** 20,
  maxFiles: 20,
  statsFor: 'anyone',
  role: 'all',
  version: '',
  publicUrl: 'https://secrets.example.org',
}

/** Every route, with limits as of an instance with defaults. */
export const ALL_ROUTES = routes(CONFIG)

const table = ALL_ROUTES.map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}/?$`) }))

/** The route of a request, as the server chooses it: the first match. */
export function routeOf(method: string, url: string): Route | undefined {
  const [path = ''] = url.replace(/^\/api(\/v1)?/, '').split('?')
  return table.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route
}

/** The maximum size of the JSON body of a built-in route, in bytes. */
export const bodyLimitOf = (method: string, url: string, maxTextBytes = CONFIG.maxTextBytes): number =>
  routeOf(method, url)?.bodyLimit?.({ ...CONFIG, maxTextBytes }) ?? BODY_LIMIT

/**
 * Throws if a successful response differs from the schema of its route, or contains a field that the schema does not
 * list.
 */
export function assertMatchesSchema(
  method: string,
  url: string,
  { status, body }: { status: number; body: unknown },
): void {
  const route = routeOf(method, url)
  if (!route?.response || status !== statusOf(route)) return
  const parsed = route.response.safeParse(body)
  const name = `response of ${method} ${route.path}`
  if (!parsed.success) throw new Error(`${name}: ${JSON.stringify(parsed.error.issues)}`)
  if (!isDeepStrictEqual(parsed.data, body)) throw new Error(`${name}: has fields that its schema does not list`)
}
