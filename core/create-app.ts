/**
 * Assembles the application: starts the plugins in order, resolves the slots, composes the app. Closes in reverse
 * order.
 */
import type { App } from './app.js'
import { createFiles } from './attachments/files.js'
import { listBackgroundSteps } from './background/background.js'
import { CLOCK_KEY } from './cleanup/scheduler.js'
import { composeApp } from './compose-app.js'
import { createHttpHandler } from './http/app.js'
import type { Handler } from './http/server.js'
import type { HashCost } from './lib/argon2.js'
import { type Clock, createMonotonicClock } from './lib/clock.js'
import { type CloseStep, runCloseSteps } from './lib/close-steps.js'
import type { Log } from './lib/log.js'
import { passwordHasher } from './lib/password-hash.js'
import { createResponseTracker } from './lib/response-tracker.js'
import { prepareStorage } from './open-storage.js'
import { collectReceivers } from './plugins/collect-receivers.js'
import { listPluginSettings } from './plugins/list-plugin-settings.js'
import { createAccounts, createPluginApp } from './plugins/plugin-app.js'
import { createProviders, resolveCounters, resolveStores } from './plugins/resolve-slots.js'
import {
  type ConfiguredPlugin,
  listPluginSteps,
  runPluginStart,
  type StartedPlugin,
  startPlugins,
  toPluginContext,
} from './plugins/start-plugins.js'
import { resolveInstanceKey } from './settings/instance-key.js'
import type { AppSettings } from './settings/startup-config.js'

/** An instance with its plugins. */
export interface RunningApp extends App {
  /** Request handler for node:http. */
  handler: Handler
  /** Names of the migrations that ran. */
  migrated: string[]
  /** Stops the work in the background and closes the plugins, the last one first. */
  close(): Promise<void>
  /** The same in a bounded time. Resolves with the names of the parts that are still open. */
  closeWithin(ms: number): Promise<string[]>
}

interface Options {
  settings: AppSettings
  plugins: ConfiguredPlugin[]
  log: Log
  version: string
  /** False: fails when the schema is out of date. `new`: migrates an empty database only. Default: migrates. */
  migrate?: boolean | 'new'
  /** False in a command that opens the instance without serving requests. Default: true. */
  isServer?: boolean
  /** Default: the system clock. */
  clock?: Clock
  /** `HASH_COST`, unless a test brings a lower one. */
  hashCost?: HashCost
}

/** Throws PluginError when a plugin fails to start or a slot is empty. Plugins that have started are closed first. */
export async function createApp({
  settings,
  plugins,
  log,
  version,
  migrate = true,
  isServer = true,
  clock = createMonotonicClock({ log }),
  hashCost,
}: Options): Promise<RunningApp> {
  const started: StartedPlugin[] = []
  const backgroundSteps: CloseStep[] = []
  const closeWithin = (ms?: number) =>
    runCloseSteps([...backgroundSteps.splice(0), ...listPluginSteps(started)], log, ms)
  const close = async () => void (await closeWithin())
  try {
    const context = toPluginContext(settings, { log, clock })
    await startPlugins(plugins, context, started)
    const { storage, files } = resolveStores(settings, started)
    const counters = resolveCounters(settings, storage, started)
    const migrated = await prepareStorage(storage, { migrate, isServer, maxTextBytes: settings.maxTextBytes })
    clock.atLeast(Number((await storage.instanceState.get(CLOCK_KEY)) ?? 0))
    const responses = createResponseTracker()
    const { app, emitter } = composeApp({
      storage,
      files: files && createFiles(files, { log, now: clock.now }),
      counters,
      key: await resolveInstanceKey(settings.instanceKey, storage),
      hasher: passwordHasher(hashCost),
      ...collectReceivers(started),
      responses,
      pluginSettings: plugins.flatMap(({ plugin }) => listPluginSettings(plugin)),
      createProviders: (app) => createProviders(settings, { started, accounts: createAccounts(app), context }),
      config: settings,
      log,
      clock,
    })
    backgroundSteps.push(...listBackgroundSteps(app, emitter))
    await app.webhooks.reload()
    const running = started.map(({ name, hooks }) => {
      return { plugin: name, hooks, pluginApp: createPluginApp(name, app, isServer) }
    })
    const handler = createHttpHandler({
      app,
      settings,
      responses,
      version,
      pages: started.flatMap(({ hooks }) => hooks.pages ?? []),
      pluginRoutes: running.map(({ plugin, hooks, pluginApp }) => ({
        plugin,
        routes: hooks.routes ?? [],
        app: pluginApp,
      })),
    })
    for (const { plugin, hooks, pluginApp } of running) {
      await runPluginStart(plugin, async () => hooks.ready?.(pluginApp, context))
    }
    return { ...app, handler, migrated, close, closeWithin }
  } catch (error) {
    await close()
    throw error
  }
}
