/** Checks a plugin without an instance, for `mayfly plugin check`. */

import { routes } from './http/routes/index.js'
import { toPluginRoutes } from './http/routes/plugin-routes.js'
import type { RouteConfig } from './http/routes/route.js'
import { noLog } from './lib/log.js'
import { assertProviderIds } from './plugins/assert-provider-ids.js'
import { collectChannels } from './plugins/collect-channels.js'
import type { Hooks, PluginContext } from './plugins/plugin.js'
import type { PluginApp } from './plugins/plugin-app.js'
import type { PluginRoute } from './plugins/plugin-route.js'
import type { ConfiguredPlugin } from './plugins/start-plugins.js'
import { listFacts } from './shared/event-catalog.js'
import { withTimeout } from './shared/with-timeout.js'

export interface PluginReport {
  /** Names of the hooks that `setup` returns. */
  hooks: string[]
  /** One sentence each. */
  problems: string[]
}

/** Time limit of `setup` and `close`. */
const SETUP_MS = 30_000

const HOOK_NAMES: Record<keyof Hooks, true> = {
  storage: true,
  files: true,
  limits: true,
  auth: true,
  routes: true,
  pages: true,
  on: true,
  beforeResponse: true,
  channels: true,
  auditSink: true,
  invalidation: true,
  ready: true,
  close: true,
}

const EVENT_NAMES = Object.fromEntries(listFacts('listener').map((name) => [name, true]))

/**
 * Calls `setup` and `close`, and checks the hooks. Never rejects. `dataDir`: absolute path of a folder for the plugin.
 */
export async function checkPlugin({ plugin, options }: ConfiguredPlugin, dataDir: string): Promise<PluginReport> {
  const context: PluginContext = { log: noLog, dataDir, publicUrl: 'https://secrets.example.org', clock: Date }
  const setUp = async () => (await withTimeout(SETUP_MS, Promise.resolve(plugin.setup(options, context)))) ?? {}
  let hooks: Hooks
  try {
    hooks = await setUp()
  } catch (error) {
    return { hooks: [], problems: [`setup failed: ${toMessage(error)}`] }
  }
  const problems = [
    ...findUnknown('hook', hooks, HOOK_NAMES),
    ...findUnknown('event in on', hooks.on, EVENT_NAMES),
    ...findUnknown('event in beforeResponse', hooks.beforeResponse, EVENT_NAMES),
    ...checkRoutes(plugin.name, hooks.routes ?? []),
    ...collectProblem(() => collectChannels([hooks])),
    ...collectProblem(() => assertProviderIds(hooks.auth?.({ checkPassword: async () => null }, context) ?? [])),
  ]
  try {
    await withTimeout(SETUP_MS, Promise.resolve(hooks.close?.()))
  } catch (error) {
    problems.push(`close failed: ${toMessage(error)}`)
  }
  return { hooks: Object.keys(hooks).filter((name) => Object.hasOwn(HOOK_NAMES, name)), problems }
}

/** Every invalid route; without one, the first route that exists twice. */
function checkRoutes(plugin: string, given: PluginRoute[]): string[] {
  if (!Array.isArray(given)) return ['routes must be a list of routes made with route()']
  const own = routes({} as RouteConfig)
  const check = (some: PluginRoute[]) =>
    collectProblem(() => toPluginRoutes([{ plugin, routes: some, app: {} as PluginApp }], own))
  const invalid = given.flatMap((each) => check([each]))
  return invalid.length > 0 ? invalid : check(given)
}

const findUnknown = (what: string, given: object | undefined, known: object): string[] =>
  Object.keys(given ?? {}).flatMap((name) => (Object.hasOwn(known, name) ? [] : `unknown ${what}: ${name}`))

function collectProblem(check: () => unknown): string[] {
  try {
    check()
    return []
  } catch (error) {
    return [toMessage(error)]
  }
}

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))
