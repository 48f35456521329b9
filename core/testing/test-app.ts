/** The assembled product on a storage of the test's choice, with a clock that the test moves and an ear for its events. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type App, type AppSettings, createApp } from '../app.js'
import type { Events } from '../events.js'
import { createLog } from '../log.js'
import { definePlugin, type Hooks, type Plugin } from '../plugin.js'

export interface TestApp extends App {
  /** Epoch ms; set it to move the clock. */
  clock: { now: number }
  /** Names and payloads of all events so far; empty it between steps. */
  events: [name: string, payload: unknown][]
  /** All that was logged. */
  log: string[]
  /** Its data folder. */
  dataDir: string
}

interface Options {
  settings?: Partial<AppSettings>
  /** Fills the files slot; without it there are no files. It may be the storage's own plugin. */
  files?: Plugin
  /** Further plugins, set up after the storage. */
  plugins?: Plugin[]
  now?: number
  /** Kept after `close`; without it, a new temporary folder that is removed. */
  dataDir?: string
}

/** `storage` is set up with its own defaults in its data folder. */
export async function testApp(storage: Plugin, options: Options = {}): Promise<TestApp> {
  const { settings, files, plugins = [], now } = options
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'mayfly-test-')))
  const clock = { now: now ?? Date.UTC(2026, 0, 1) }
  const events: TestApp['events'] = []
  const log: string[] = []
  const app = await createApp({
    settings: {
      storage: storage.name,
      files: files?.name ?? '',
      dataDir,
      publicUrl: 'https://secrets.example.org',
      trustedProxies: [],
      maxTextBytes: 2 ** 20,
      ttlMaxAnonymous: 7 * 24 * 60 * 60,
      readGraceSeconds: 60,
      maxFileBytes: 100 * 2 ** 20,
      maxFiles: 20,
      visitorUploads: true,
      visitorBytesPerDay: 2 ** 30,
      maxOpenUploads: 20,
      downloadGraceSeconds: 900,
      sweepSeconds: 3600,
      ...settings,
    },
    plugins: [...new Set([storage, files ?? storage]), ...plugins, listener(events)].map((plugin) => ({
      plugin,
      options: plugin.options.parse({}),
    })),
    log: createLog('debug', 'json', (line) => void log.push(line)),
    version: '0.0.0-test',
    now: () => clock.now,
  })
  const close = async () => {
    await app.close()
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true })
  }
  return { ...app, close, clock, events, log, dataDir }
}

function listener(events: TestApp['events']): Plugin {
  const hear = (name: keyof Events) => (event: unknown) => void events.push([name, event])
  const on: Hooks['on'] = {
    'secret:created': hear('secret:created'),
    'secret:viewed': hear('secret:viewed'),
    'secret:burned': hear('secret:burned'),
  }
  return definePlugin({ name: 'test-listener', options: z.object({}), setup: () => ({ on }) }) as Plugin
}
