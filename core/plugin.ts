/** The plugin contract. docs: plugins/README.md, "Write a plugin in 30 lines". */
import type Router from '@koa/router'
import type { Middleware } from 'koa'
import { z } from 'zod'
import type { AuthProvider } from './contracts/auth-provider.js'
import type { FileStore } from './contracts/file-store.js'
import type { LimitStore } from './contracts/limits.js'
import type { Storage } from './contracts/storage.js'
import type { Listeners } from './events.js'
import type { Log } from './log.js'
import type { Services } from './services.js'

/** A plugin is a name, the options it takes, and a `setup` that returns the hooks it fills. */
export interface Plugin<Options extends z.ZodObject = z.ZodObject> {
  /** Lower-case words joined by "-". Also the name of its section in the config. */
  name: string
  /** A zod object. Its defaults and descriptions are this plugin's documentation. */
  options: Options
  /** What it keeps is in the memory of its process, so that an instance with it is one process. */
  singleProcess?: boolean
  /** Connect, check, and return the hooks. Throw to stop the server from starting. */
  setup(options: z.output<Options>, host: Host): Hooks | Promise<Hooks>
}

export interface Hooks {
  /** Slot: taken from the plugin that config `storage` names. */
  storage?: Storage
  /** Slot: taken from the plugin that config `files` names. */
  files?: FileStore
  /** Slot: taken from the plugin that config `limits` names; without it, the storage's own. */
  limits?: LimitStore
  /** Ways to sign in, asked in the order of config `auth`, once every slot is filled. */
  auth?(services: Services): AuthProvider[]
  /** Adds calls under /api, once every slot is filled. */
  routes?(router: Router, services: Services): void
  /** Answers whatever is not under /api: the web app. */
  pages?: Middleware
  /** Listeners, told after the fact. */
  on?: Listeners
  /** Called in the reverse order of set-up. */
  close?(): void | Promise<void>
}

/** What core gives to `setup`. */
export interface Host {
  log: Log
  /** Absolute. Whoever keeps something in it makes it, with mode 0700, where it is missing. */
  dataDir: string
  /** Where people reach this instance, without a trailing slash. */
  publicUrl: string
}

/** Returns its argument; it exists so that `setup` is typed from `options`. */
export function definePlugin<Options extends z.ZodObject>(plugin: Plugin<Options>): Plugin<Options> {
  return plugin
}

/** For an option that is a whole number, also as text, which variables are. What only resembles one is refused: `0x10`, ` 7`, `1e3`. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  )
}

/** The mark by which `mayfly config list` knows what to mask. */
const SECRET = Symbol.for('mayfly.secret')

/** Marks an option whose value is never shown. Wrap last: zod makes a new schema of every further call. */
export function secret<T extends z.ZodType>(schema: T): T {
  return Object.assign(schema, { [SECRET]: true })
}
