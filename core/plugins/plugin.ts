/** The plugin contract. docs: plugins/README.md, "Write a plugin in 30 lines". */
import type Router from '@koa/router'
import type { Middleware } from 'koa'
import { z } from 'zod'
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { Listeners } from '../contracts/events.js'
import type { FileStore } from '../contracts/file-store.js'
import type { LimitStore } from '../contracts/limits.js'
import type { Subscriber } from '../contracts/outbox.js'
import type { Storage } from '../contracts/storage.js'
import type { Log } from '../lib/log.js'
import type { Services } from '../services/create-services.js'

/** A plugin has a name, options, and a `setup` that returns hooks. */
export interface Plugin<Options extends z.ZodObject = z.ZodObject> {
  /** Lower-case words joined by "-". Also the name of the plugin's section in the config. */
  name: string
  /** A zod object. Its defaults and descriptions are the documentation of the plugin. */
  options: Options
  /** The plugin keeps state in memory, so an instance that uses it must be a single process. */
  singleProcess?: boolean
  /** Connects, checks, and returns the hooks. An error stops the start of the server. */
  setup(options: z.output<Options>, context: PluginContext): Hooks | Promise<Hooks>
}

export interface Hooks {
  /** Slot: used when config `storage` names this plugin. */
  storage?: Storage
  /** Slot: used when config `files` names this plugin. */
  files?: FileStore
  /** Slot: used when config `limits` names this plugin. By default the storage counts. */
  limits?: LimitStore
  /** Auth providers, used in the order of config `auth`. Called once, when all services exist. */
  auth?(services: Services): AuthProvider[]
  /** Adds routes below /api/v1, with the alias /api. Called once, when all services exist. */
  routes?(router: Router, services: Services): void
  /** Handles every path that is not under /api: the web app. */
  pages?: Middleware
  /**
   * Event listeners, called after the response, one event at a time. A listener that fails or takes longer than 5 s is logged. A
   * process that is killed loses its queued events.
   */
  on?: Listeners
  /**
   * Event listeners that the response waits for, without a time limit: for a record that must exist before the client learns of
   * the change. A failure is logged.
   */
  beforeResponse?: Listeners
  /** Receivers of durable events, which survive the end of a process. */
  subscribers?: Subscriber[]
  /** Called in reverse order of `setup`. */
  close?(): void | Promise<void>
}

/** What `setup` receives. */
export interface PluginContext {
  log: Log
  /** Absolute path. May be missing: a plugin that stores files creates it with mode 0700. */
  dataDir: string
  /** Public URL of this instance, without a trailing slash. */
  publicUrl: string
}

/** Returns its argument. It gives `setup` the type of `options`. */
export function definePlugin<Options extends z.ZodObject>(plugin: Plugin<Options>): Plugin<Options> {
  return plugin
}

/** Schema for an integer option. Also accepts decimal text, as in environment variables, but not `0x10`, ` 7` or `1e3`. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  )
}

/** Marks schemas whose values `mayfly config list` masks. */
const SECRET = Symbol.for('mayfly.secret')

/** Marks an option whose value must not be displayed. Call it last: every zod method returns a new schema. */
export function secret<T extends z.ZodType>(schema: T): T {
  return Object.assign(schema, { [SECRET]: true })
}
