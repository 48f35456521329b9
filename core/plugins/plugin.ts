/** The plugin contract, number 1. docs: docs/plugins.md. */
import type { Middleware } from 'koa'
import type { z } from 'zod'
import type { AuditSink } from '../contracts/audit-sink.js'
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { Channel } from '../contracts/channels.js'
import type { Listeners } from '../contracts/events.js'
import type { FileStore } from '../contracts/file-store.js'
import type { Invalidation } from '../contracts/invalidation.js'
import type { LimitStore } from '../contracts/limits.js'
import type { Storage } from '../contracts/storage.js'
import type { Clock } from '../lib/clock.js'
import type { Log } from '../lib/log.js'
import type { ProcessRole } from '../shared/process-role.js'
import type { Accounts, PluginApp } from './plugin-app.js'
import type { PluginCommand } from './plugin-command.js'
import type { PluginRoute } from './plugin-route.js'

/** Number of this contract. It increases with every change that can break a plugin. */
export const CONTRACT = 1

/** A plugin has a contract number, a name, options, and a `setup` that returns hooks. */
export interface Plugin<Options extends z.ZodObject = z.ZodObject> {
  /** The plugin contract that the author has read. Another number stops the start with a clear error. */
  contract: typeof CONTRACT
  /** Lower-case words joined by "-". Also the name of the plugin's section in the config. */
  name: string
  /** A zod object. Its defaults and descriptions are the documentation of the plugin. */
  options: Options
  /**
   * True when the plugin with these options keeps its data in memory, so that the instance must be a single process.
   */
  isSingleProcess?(options: z.output<Options>): boolean
  /**
   * Instance settings, which administrators change while the instance runs: booleans, whole numbers, texts of up to
   * 2000 characters and enums, each with a default. `.meta({ title })` is the label in the form, `.describe()` the
   * hint.
   */
  settings?: z.ZodObject
  /** Commands of the command line. They run without a database and without `setup`. */
  commands?: PluginCommand<z.output<Options>>[]
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
  /** Auth providers, used in the order of config `auth`. Called once, when the app is composed. */
  auth?(accounts: Accounts, context: PluginContext): AuthProvider[]
  /** Routes below /api/v1, with the alias /api, each made with `route`. */
  routes?: PluginRoute[]
  /** Handles every path that is not under /api: the web app. */
  pages?: Middleware
  /**
   * Event listeners, called after the response, one event at a time. A listener that fails or takes longer than 5 s is
   * logged. A process that is killed loses its queued events.
   */
  on?: Listeners
  /**
   * Event listeners that the response waits for, without a time limit: for a record that must exist before the client
   * learns of the change, such as the journal of `tombstones`. A failure is logged.
   */
  beforeResponse?: Listeners
  /** Receivers of durable events, which survive the end of a process: of operators, or of single users. */
  channels?: Channel[]
  /** Receives the entries of the audit log, beside the storage. */
  auditSink?: AuditSink
  /**
   * Notifies the other processes of the instance of changed data in their caches. Without such a plugin, such as
   * `redis`, they notice it within 5 seconds.
   */
  invalidation?: Invalidation
  /** Called once, when the app is complete and before the first request. An error stops the start. */
  ready?(app: PluginApp, context: PluginContext): void | Promise<void>
  /** Called in reverse order of `setup`. */
  close?(): void | Promise<void>
}

/** Argument of `setup`, `auth` and `ready`. */
export interface PluginContext {
  log: Log
  /** Absolute path. May be missing: a plugin that stores files creates it with mode 0700. */
  dataDir: string
  /** Public URL of this instance, without a trailing slash. */
  publicUrl: string
  /** Role of this process; `open`: only the features for recipients and submitters. Absent, as in commands: `all`. */
  role?: ProcessRole
  /**
   * The clock by which secrets expire. `now()`: epoch ms. It does not go backwards when the system clock is set back.
   */
  clock: Pick<Clock, 'now'>
}

/** Returns its argument. It gives `setup` the type of `options`. */
export function definePlugin<Options extends z.ZodObject>(plugin: Plugin<Options>): Plugin<Options> {
  return plugin
}
