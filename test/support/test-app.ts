/**
 * The assembled product on a storage of the test's choice, with a clock that the test moves and a list of its events.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { createToken } from '#core/auth/api-tokens'
import { openSession } from '#core/auth/sessions'
import { toAuthContext } from '#core/contracts/auth-context'
import type { Events } from '#core/contracts/events'
import type { FileStore } from '#core/contracts/file-store'
import type { User } from '#core/contracts/users'
import { createApp, type RunningApp } from '#core/create-app'
import type { HashCost } from '#core/lib/argon2'
import { createLog } from '#core/lib/log'
import { passwordHasher } from '#core/lib/password-hash'
import { definePlugin, type Hooks, type Plugin } from '#core/plugins/plugin'
import type { AppSettings } from '#core/settings/startup-config'
import { aUser } from '#core/testing/lib/fixtures'
import { builtIns } from '#plugins'
import type { CreateToken } from '#shared/api'

const localAuth = (await builtIns['local-auth']()).default as Plugin

export interface TestApp extends RunningApp {
  /** Epoch ms; set it to move the clock. */
  clock: { now: number }
  /** Names and payloads of all events so far; empty it between steps. */
  emitted: [name: string, payload: unknown][]
  /** All that was logged. */
  logged: string[]
  /** Its data folder. */
  dataDir: string
  /** The file store of the plugin, without what core adds, for tests that let it fail. */
  fileStore: FileStore | null
  /** Creates an account, by default of role `user`. */
  signUp(differing?: Partial<User>): Promise<TestUser>
  /** Headers of a browser in which this user is signed in, in a session of its own. */
  as(user: TestUser): Promise<Record<string, string>>
  /** A new API token of this user's. */
  tokenOf(user: TestUser, limits?: Partial<CreateToken>): Promise<string>
}

export interface TestUser extends User {
  password: string
}

interface Options {
  settings?: Partial<AppSettings>
  /** Fills the files slot; without it there are no files. It may be the storage's own plugin. */
  files?: Plugin
  /** Further plugins, set up after the storage. */
  plugins?: Plugin[]
  /** Sign-in methods besides local passwords. */
  auth?: Plugin[]
  now?: number
  /** Of passwords: the lowest unless the test is about hashes. */
  hashCost?: HashCost
  /** Kept after `close`; without it, a new temporary folder that is removed. */
  dataDir?: string
}

/** `storage` is set up with its own defaults in its data folder. */
export async function testApp(storage: Plugin, options: Options = {}): Promise<TestApp> {
  const { settings, files, plugins = [], auth = [], now, hashCost = CHEAPEST } = options
  const ways = [localAuth, ...auth]
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-test-')))
  const clock = { now: now ?? Date.UTC(2026, 0, 1) }
  const events: TestApp['emitted'] = []
  const log: string[] = []
  let fileStore: FileStore | null = null
  const withFileStore = (plugin: Plugin): Plugin => ({
    ...plugin,
    async setup(given, context) {
      const hooks = (await plugin.setup(given, context)) ?? {}
      fileStore = hooks.files ?? null
      return hooks
    },
  })
  const app = await createApp({
    settings: {
      storage: storage.name,
      files: files?.name ?? '',
      limits: 'off',
      limitFactor: 1,
      auditDays: 400,
      auditSecrets: true,
      auth: ways.map(({ name }) => name),
      dataDir,
      instanceKey: '',
      publicUrl: 'https://secrets.example.org',
      trustedProxies: [],
      allowedHosts: [],
      corsOrigins: [],
      maxTextBytes: 2 ** 20,
      ttlMaxAnonymous: 7 * 24 * 60 * 60,
      ttlMaxUser: 28 * 24 * 60 * 60,
      passwordMin: 5,
      passwordMax: 50,
      readGraceSeconds: 60,
      maxFileBytes: 100 * 2 ** 20,
      maxFiles: 20,
      visitorUploads: true,
      visitorBytesPerDay: 2 ** 30,
      userBytesPerDay: 10 ** 10,
      instanceBytes: null,
      maxOpenUploads: 20,
      downloadGraceSeconds: 900,
      maxWaitingEvents: 100_000,
      cleanupSeconds: 3600,
      statsFor: 'anyone',
      role: 'all',
      ...settings,
    },
    plugins: [...new Set([storage, files ?? storage]), ...ways, ...plugins, listener(events)].map((plugin) => ({
      plugin: plugin === files ? withFileStore(plugin) : plugin,
      options: plugin.options.parse({}),
    })),
    log: createLog('debug', 'json', (line) => void log.push(line)),
    version: '0.0.0-test',
    hashCost,
    clock: {
      now: () => clock.now,
      isTrusted: () => true,
      atLeast: (mark) => void Object.assign(clock, { now: Math.max(clock.now, mark) }),
    },
  })
  const close = async () => {
    await app.close()
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
  }
  return {
    ...app,
    ...people(app, { clock, hashCost }),
    close,
    clock,
    emitted: events,
    logged: log,
    dataDir,
    fileStore,
  }
}

const CHEAPEST: HashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const PASSWORD = 'påsswörd of a test ☃'

function people(
  app: RunningApp,
  { clock, hashCost }: Pick<TestApp, 'clock'> & { hashCost: HashCost },
): Pick<TestApp, 'signUp' | 'as' | 'tokenOf'> {
  const { storage } = app
  // One hash for all accounts of the app: most tests need accounts and few need passwords.
  let passwordHash: Promise<string> | undefined
  const current = async (user: User) => (await storage.users.get(user.id)) ?? user
  return {
    async signUp(differing) {
      const username = differing?.username ?? `u${randomBytes(6).toString('hex')}`
      passwordHash ??= passwordHasher(hashCost).hash(PASSWORD)
      const made = { email: `${username}@example.org`, passwordHash: await passwordHash, createdAt: clock.now }
      const user = { ...aUser({ username, ...made, ...differing }), password: PASSWORD }
      const { password: _, ...stored } = user
      await storage.users.create(stored)
      return user
    },
    async as(user) {
      const { token } = await openSession(app, await current(user), 'Firefox on Linux', 1)
      // Under both names of the cookie: the instance reads one of them.
      return { Cookie: `__Host-session=${token}; session=${token}`, 'Sec-Fetch-Site': 'same-origin' }
    },
    async tokenOf(user, limits) {
      const caller = toAuthContext(await current(user), { address: null })
      return (await createToken(app, { name: 'a token ☃', ...limits }, caller)).token
    },
  }
}

function listener(events: TestApp['emitted']): Plugin {
  const hear = (name: keyof Events) => (event: unknown) => void events.push([name, event])
  // Not `on`: tests look at the events right after a response.
  const on: Hooks['beforeResponse'] = {
    'secret.created': hear('secret.created'),
    'secret.viewed': hear('secret.viewed'),
    'secret.burned': hear('secret.burned'),
    'secret.expired': hear('secret.expired'),
    'request.created': hear('request.created'),
    'request.submitted': hear('request.submitted'),
    'request.closed': hear('request.closed'),
    'user.created': hear('user.created'),
    'user.deleted': hear('user.deleted'),
    'session.refused': hear('session.refused'),
  }
  return definePlugin({
    contract: 1,
    name: 'test-listener',
    options: z.object({}),
    setup: () => ({ beforeResponse: on }),
  }) as Plugin
}
