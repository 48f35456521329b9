/** Turns the routes of plugins into rows of the route table. */
import type { z } from 'zod'
import type { PluginApp } from '../../plugins/plugin-app.js'
import { PluginError } from '../../plugins/plugin-error.js'
import type { PluginRoute } from '../../plugins/plugin-route.js'
import type { Window } from '../../rate-limits/rate-limit-policies.js'
import type { Route } from './route.js'

/** The routes of one plugin. */
export interface PluginRoutes {
  plugin: string
  routes: PluginRoute[]
  app: PluginApp
}

const MINUTE_MS = 60_000
const PER_MINUTE = 60

/** `own`: the built-in routes. Throws PluginError for an invalid path, and for a path that is already in use. */
export function toPluginRoutes(plugins: PluginRoutes[], own: Route[]): Route[] {
  const ownSegments = new Set([...own.map(({ path }) => firstSegmentOf(path)), 'openapi.json'])
  const used = new Map<string, string>()
  return plugins.flatMap(({ plugin, routes, app }) =>
    routes.map((each) => {
      const { method, path } = each
      assertValid(plugin, each)
      if (ownSegments.has(firstSegmentOf(path)))
        throw new PluginError(
          `Plugin "${plugin}" has the route ${path}, but /${firstSegmentOf(path)} belongs to Mayfly.`,
        )
      const pattern = `${method} ${path.replace(/:\w+/g, ':')}`
      const other = used.get(pattern)
      if (other !== undefined)
        throw new PluginError(`The plugins "${other}" and "${plugin}" both have the route ${method} ${path}.`)
      used.set(pattern, plugin)
      return toRoute(plugin, each, app)
    }),
  )
}

const firstSegmentOf = (path: string): string => path.split('/')[1] ?? ''

const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
const ACCESS = ['anyone', 'user', 'interactive', 'session', 'secrets:create', 'secrets:read', 'account', 'admin']

/** Throws PluginError. Plugins in JavaScript lack a compiler that finds these mistakes. */
function assertValid(
  plugin: string,
  { method, path, access, role, handle, params, perMinute, bodyLimit }: PluginRoute,
): void {
  const refuse = (problem: string) => {
    throw new PluginError(`Plugin "${plugin}" has an invalid route ${method} ${path}: ${problem}.`)
  }
  if (!METHODS.includes(method)) refuse('its method must be GET, POST, PUT or DELETE')
  if (!/^(\/[a-z0-9][a-z0-9._-]*)(\/([A-Za-z0-9._-]+|:[A-Za-z]\w*))*$/.test(String(path)))
    refuse('its path must be like /name/part/:parameter')
  if (!ACCESS.includes(access)) refuse(`its access must be one of ${ACCESS.join(', ')}`)
  if (role !== undefined && role !== 'open') refuse('its role must be open, or absent')
  if (typeof handle !== 'function') refuse('it has no function handle')
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (
    names.sort().join() !==
    Object.keys(params?.shape ?? {})
      .sort()
      .join()
  )
    refuse('params must have the parameters of the path')
  if (!isAtLeastOne(perMinute)) refuse('perMinute must be a whole number above 0')
  if (!isAtLeastOne(bodyLimit)) refuse('bodyLimit must be a whole number above 0')
}

const isAtLeastOne = (value: number | undefined): boolean =>
  value === undefined || (Number.isSafeInteger(value) && value > 0)

function toRoute(plugin: string, definition: PluginRoute, app: PluginApp): Route {
  const { method, path, summary, access, perMinute = PER_MINUTE, bodyLimit, response, errors } = definition
  const { params, query, headers, body, status } = definition
  const window: Window = { by: 'address', limit: perMinute, windowMs: MINUTE_MS }
  return {
    method,
    path,
    summary,
    plugin,
    ...(access !== 'anyone' && { requires: access }),
    ...(definition.role === 'open' && { isOpen: true }),
    customLimit: { name: `plugin ${plugin} ${method} ${path}`, windows: [window] },
    ...(params && { params }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body && { body }),
    ...(bodyLimit !== undefined && { bodyLimit: () => bodyLimit }),
    ...(response && { response: response as z.ZodType }),
    ...(status && { status }),
    ...(errors && { errors }),
    handle: async ({ params, query, body, caller, userAgent, header }) =>
      definition.handle({ params, query, body, caller, userAgent, header } as never, app) as never,
  }
}
